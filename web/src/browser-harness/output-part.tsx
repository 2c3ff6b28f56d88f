import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useAnnounce } from '../shell/announcer.tsx';
import { Button } from '../ui/button.tsx';
import { SelectField } from '../ui/field.tsx';
import { count } from '../ui/format.ts';
import { Notice } from '../ui/notice.tsx';
import { Failure } from '../ui/problem.tsx';
import type { Change, Draft } from './draft.ts';
import { fingerprint, makePack } from './make-pack.ts';
import { PackOutput } from './pack-output.tsx';
import { Part, PartLink } from './part.tsx';
import type { KnownPreset } from './use-presets.ts';

interface OutputProps {
  draft: Draft;
  change: Change;
  needsJudge: boolean;
  preset: KnownPreset;
  onMade: () => void;
  isReady: boolean;
}

export function OutputPart({ draft, change, needsJudge, preset, onMade, isReady }: OutputProps) {
  const announce = useAnnounce();
  const made = useMutation({
    mutationFn: () => makePack(draft, needsJudge, preset),
    onSuccess: ({ answer }) => {
      announce(`The pack is made: ${count(answer.items.length, 'prompt')}.`);
      onMade();
    },
  });
  const result = useRef<HTMLElement>(null);
  const packId = made.data?.answer.pack_id;
  // To what was asked for: the button stays where it is, and what it made is below.
  useEffect(() => {
    if (packId !== undefined) result.current?.focus();
  }, [packId]);
  const isOld = made.data !== undefined && made.data.of !== fingerprint(draft, needsJudge);
  return (
    <Part number={5} name="Output" about="A signed pack of prompts, and the script that runs it on the page.">
      <div className="harness-make">
        <SelectField
          label="Valid for"
          value={draft.ttlDays}
          options={[
            { value: '1', name: '1 day' },
            { value: '7', name: '7 days' },
            { value: '30', name: '30 days' },
          ]}
          onChange={(ttlDays) => change({ ttlDays })}
        />
        <Button
          kind="primary"
          busy={made.isPending}
          disabled={!isReady && !made.isPending}
          aria-describedby={isReady ? undefined : 'harness-not-ready'}
          onClick={() => made.mutate()}
        >
          {made.data ? 'Make a new pack' : 'Make the pack'}
        </Button>
      </div>
      {!isReady && (
        <p id="harness-not-ready" className="hint">
          Fix the problems that the preflight lists first. <PartLink name="Preflight">Go to Preflight</PartLink>
        </p>
      )}
      {made.error && <Failure error={made.error} />}
      {made.data && (
        <section ref={result} tabIndex={-1} aria-label="The pack" className="harness-output">
          {isOld && (
            <Notice tone="warning" title="The choices above have changed since this pack was made.">
              <p>The script below still uses the earlier choices. Make a new pack to use the new ones.</p>
            </Notice>
          )}
          <PackOutput made={made.data} />
        </section>
      )}
    </Part>
  );
}
