/** One attempt: what it was to do, what it did step by step with what the page showed, and what that came to. */
import { useMemo, useRef, useState } from 'react';
import type { AttemptView, StepView } from '../../../src/view/index.ts';
import { seconds } from '../../../src/view/texts.ts';
import { ScrollBox } from '../ui/scroll-box.tsx';
import { useAttemptKeys } from './attempt-keys.ts';
import { ContractPanel } from './contract-panel.tsx';
import { Facts } from './facts.tsx';
import { Filmstrip } from './filmstrip.tsx';
import { GradesPanel } from './grades-panel.tsx';
import { LogPanel } from './log-panel.tsx';
import { Panel } from './panel.tsx';
import { RecoveryPanel } from './recovery-panel.tsx';
import { RewardBars } from './reward-bars.tsx';
import { StepDetails } from './step-details.tsx';
import { StepList } from './step-list.tsx';
import { MessagesPanel, TeamPanel } from './team-panel.tsx';
import { TextBlock } from './text-block.tsx';
import { StatusChip, Tag } from './tones.tsx';
import { FileLink } from './viewer-links.tsx';
import './viewer.css';

interface Props {
  id: string;
  attempt: AttemptView;
  /** The number of the selected step's event, from the address. */
  selected: number | undefined;
  onSelect: (seq: number) => void;
}

export function AttemptViewer({ id, attempt, selected, onSelect }: Props) {
  const { steps, frames } = attempt;
  const [search, setSearch] = useState('');
  const searchBox = useRef<HTMLInputElement>(null);
  const found = useMemo(() => matching(steps, search), [steps, search]);
  const step = steps.find(({ seq }) => seq === selected) ?? steps[0];
  /** A picture that was chosen by itself: the end belongs to no step. */
  const [chosen, setChosen] = useState<number>();
  const at = chosen ?? frameOf(attempt, step);
  const go = (seq: number) => {
    setChosen(undefined);
    onSelect(seq);
  };
  const goFrame = (place: number) => {
    const frame = frames[place];
    if (!frame) return;
    const [first] = frame.seqs;
    setChosen(place);
    if (first !== undefined && !frame.seqs.includes(step?.seq ?? -1)) onSelect(first);
  };
  useAttemptKeys({
    searchBox,
    onStep: (by) => {
      const place = found.findIndex(({ seq }) => seq === step?.seq);
      const next = found[place < 0 ? 0 : place + by];
      if (next) go(next.seq);
    },
    onFrame: (by) => goFrame(at + by),
  });
  const entries = useMemo(
    () => (step ? attempt.log.entries.filter(({ seq }) => seq === step.seq) : []),
    [attempt.log.entries, step],
  );
  return (
    <div className="v-attempt">
      <AttemptHead attempt={attempt} />
      <Panel title="Steps" about={<KeyHints />}>
        <div className="v-stage">
          <Filmstrip id={id} attempt={attempt} at={at} onFrame={goFrame} />
          <StepList
            steps={found}
            total={steps.length}
            selected={step?.seq}
            onStep={go}
            search={search}
            onSearch={setSearch}
            searchBox={searchBox}
          />
        </div>
        {step && <StepDetails step={step} lines={linesAt(steps, step)} entries={entries} />}
      </Panel>
      <Panel title="Reward" about={attempt.reward}>
        <ScrollBox label="Reward of each step">
          <RewardBars scores={steps.flatMap(({ reward }) => (reward ? [reward.score] : []))} large />
        </ScrollBox>
      </Panel>
      <ContractPanel attempt={attempt} selected={step?.seq} onStep={go} />
      <GradesPanel attempt={attempt} />
      <TeamPanel attempt={attempt} onStep={go} />
      <MessagesPanel attempt={attempt} />
      <RecoveryPanel attempt={attempt} />
      <LogPanel attempt={attempt} onStep={go} />
      <div className="columns">
        <Panel title="Numbers">
          <Facts rows={attempt.numbers} />
        </Panel>
        <Panel title="Provenance">
          <Facts
            rows={[
              ...attempt.provenance,
              ...attempt.files.map(([name, path]) => [name, <FileLink key={name} path={path} />] as const),
            ]}
          />
        </Panel>
      </div>
    </div>
  );
}

function AttemptHead({ attempt }: { attempt: AttemptView }) {
  const { chip, marks, title, goal, reason, outcome, claim, answer, warnings, steps, durationMs } = attempt;
  const count = steps.filter(({ step }) => step > 0).length;
  return (
    <div className="v-head">
      <p className="v-chips">
        <StatusChip {...chip} />
        {marks.map((mark) => (
          <Tag key={mark} bad={mark === 'said done'}>
            {mark}
          </Tag>
        ))}{' '}
        <span className="muted">
          {count} {count === 1 ? 'step' : 'steps'}, {seconds(durationMs)}
        </span>
      </p>
      <p className="v-goal">
        {title !== '' && <b>{title}.</b>} {goal}
      </p>
      <p>
        {reason} <span className="muted">Outcome class: {outcome}.</span>
      </p>
      {claim && <p className={claim.isFalse ? 'notice notice-warning' : undefined}>{claim.sentence}</p>}
      {answer && (
        <div>
          <h3>The agent’s answer</h3>
          <TextBlock text={answer} label="The agent’s answer" />
        </div>
      )}
      {warnings.length > 0 && (
        <div className="notice notice-warning">
          <h3>Warnings</h3>
          <ul>
            {warnings.map((warning, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: warnings are never reordered
              <li key={index}>{warning}</li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}

function KeyHints() {
  return (
    <span className="v-keys">
      <kbd>j</kbd> <kbd>k</kbd> steps · <kbd>←</kbd> <kbd>→</kbd> pictures · <kbd>/</kbd> search
    </span>
  );
}

function matching(steps: readonly StepView[], search: string): readonly StepView[] {
  const wanted = search.trim().toLowerCase();
  if (wanted === '') return steps;
  return steps.filter((step) => textOf(step).includes(wanted));
}

function textOf({ tool, brief, lane, arguments: args, result, look, notes }: StepView): string {
  const changes = look?.changes.flatMap(({ sentence, entries = [] }) => [sentence, ...entries]) ?? [];
  return [tool, brief, lane, args.text, result?.text.text ?? '', ...changes, ...notes].join('\n').toLowerCase();
}

/** The picture of a step, or the last one before it. */
function frameOf({ frames, steps }: AttemptView, step: StepView | undefined): number {
  if (!step) return 0;
  let last = 0;
  const until = steps.findIndex(({ seq }) => seq === step.seq);
  const seen = new Set(steps.slice(0, until + 1).map(({ seq }) => seq));
  for (const [place, { seqs }] of frames.entries()) if (seqs.some((seq) => seen.has(seq))) last = place;
  return last;
}

/** The lines of a verdict that is as before stand with the first of them. */
function linesAt(steps: readonly StepView[], step: StepView): readonly string[] {
  const until = steps.findIndex(({ seq }) => seq === step.seq);
  const told = steps.slice(0, until + 1).findLast(({ look }) => look?.verdict && !look.verdict.isRepeated);
  return told?.look?.verdict?.lines ?? [];
}
