/** The Browser Harness: from a dataset to a script for a chat page, and from its capture to a run. Six parts, top to bottom. */
import { useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { Page } from '../shell/page.tsx';
import { count } from '../ui/format.ts';
import { textOf } from '../ui/search.ts';
import { type Change, newDraft } from './draft.ts';
import { ImportPart } from './import-part.tsx';
import { JudgePart } from './judge-part.tsx';
import { OutputPart } from './output-part.tsx';
import type { PartName } from './pack-request.ts';
import type { PartState } from './part.tsx';
import { PartList } from './part-list.tsx';
import { PreflightPart } from './preflight-part.tsx';
import { rememberedTargets, rememberTargets } from './remembered-targets.ts';
import { ScopePart } from './scope-part.tsx';
import { TargetPart } from './target-part.tsx';
import { useNeedsJudge, usePreflight } from './use-preflight.ts';
import { usePresets } from './use-presets.ts';
import './browser-harness.css';

export default function BrowserHarnessPage() {
  const { dataset } = useSearch({ from: '/browser-harness' });
  const [draft, setDraft] = useState(() => newDraft(textOf(dataset) ?? '', rememberedTargets()));
  const change: Change = (next) => setDraft((before) => ({ ...before, ...next }));
  useEffect(() => rememberTargets(draft.targets), [draft.targets]);
  const [isMade, setMade] = useState(false);
  const presets = usePresets();
  const judgeNeeded = useNeedsJudge(draft);
  const needsJudge = judgeNeeded ?? false;
  const preflight = usePreflight(draft, needsJudge);
  const { blockers, isReady, isChecking } = preflight;

  const stateOf = (part: PartName): PartState => {
    const number = blockers.filter((blocker) => blocker.part === part).length;
    return number === 0 ? { tone: 'good', text: 'complete' } : { tone: 'warning', text: `${number} to do` };
  };
  const checked: PartState = isReady
    ? { tone: 'good', text: 'ready' }
    : blockers.length > 0
      ? { tone: 'bad', text: count(blockers.length, 'blocker') }
      : { tone: 'neutral', text: isChecking ? 'checking' : 'not checked' };
  const states = {
    Scope: stateOf('scope'),
    Target: stateOf('target'),
    Judge: needsJudge ? stateOf('judge') : ({ tone: 'neutral', text: 'not needed' } as const),
    Preflight: checked,
    Output: isMade
      ? ({ tone: 'good', text: 'pack made' } as const)
      : ({ tone: 'neutral', text: 'no pack yet' } as const),
    Import: { tone: 'neutral', text: 'at any time' } as const,
  };
  return (
    <Page
      title="Browser Harness"
      about="Evaluate a chat page that has no API: make a pack of prompts, run it on the page, and import the capture. Expected answers and checkers stay on this server."
    >
      <PartList states={states} />
      <ScopePart draft={draft} change={change} items={preflight.items} state={states.Scope} />
      <TargetPart draft={draft} change={change} presets={presets} state={states.Target} />
      {needsJudge && <JudgePart draft={draft} change={change} state={states.Judge} />}
      <PreflightPart preflight={preflight} state={states.Preflight} />
      <OutputPart
        {...{ draft, change, needsJudge, isReady }}
        preset={presets[draft.preset]}
        onMade={() => setMade(true)}
      />
      <ImportPart />
    </Page>
  );
}
