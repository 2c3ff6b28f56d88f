import { useEffect, useRef } from 'react';
import { useAnnounce } from '../shell/announcer.tsx';
import { Button } from '../ui/button.tsx';
import { count } from '../ui/format.ts';
import { Notice } from '../ui/notice.tsx';
import { Failure } from '../ui/problem.tsx';
import { WarningList } from '../ui/warning-list.tsx';
import type { Blocker, PartName } from './pack-request.ts';
import { Part, PartLink, type PartState } from './part.tsx';
import type { Preflight } from './use-preflight.ts';

const PARTS: Readonly<Record<PartName, string>> = { scope: 'Scope', target: 'Target', judge: 'Judge' };

export function PreflightPart({ preflight, state }: { preflight: Preflight; state: PartState }) {
  const { blockers, warnings, error, isReady, items, scoring, again } = preflight;
  const announce = useAnnounce();
  useSaid(preflight);
  const checkAgain = async () => {
    await again();
    announce('Checked again.');
  };
  return (
    <Part
      number={4}
      name="Preflight"
      state={state}
      about="Checks the choices above: problems that prevent the pack from being made or its answers from being scored."
    >
      {error != null && <Failure error={error} onRetry={() => void again()} />}
      {blockers.length > 0 && (
        <ul className="harness-blockers">
          {blockers.map((blocker) => (
            <BlockerItem key={`${blocker.code} ${blocker.message}`} {...blocker} />
          ))}
        </ul>
      )}
      {isReady && scoring && (
        <Notice tone="good" title={`Ready: ${count(items ?? 0, 'prompt')} can be packed.`}>
          <p>
            {count(scoring.programmatic, 'item')} scored by checkers, {scoring.judge_required} by the judge,{' '}
            {scoring.unscorable} not scored.
          </p>
        </Notice>
      )}
      <WarningList warnings={warnings} />
      <div className="actions">
        <Button onClick={() => void checkAgain()}>Check again</Button>
      </div>
    </Part>
  );
}

function BlockerItem({ code, message, fix, part }: Blocker) {
  return (
    <li className="notice notice-error">
      <p className="notice-title">
        {message} <code className="code">{code}</code>
      </p>
      <p>
        {fix ?? 'Change the choice.'} <PartLink name={PARTS[part]}>Go to {PARTS[part]}</PartLink>
      </p>
    </li>
  );
}

/** Says what has changed, once it has settled; not at the page's first look. */
function useSaid({ blockers, isReady, isChecking }: Preflight): void {
  const announce = useAnnounce();
  const said = useRef<string>(undefined);
  const now = isReady ? 'Preflight: ready.' : `Preflight: ${count(blockers.length, 'blocker')}.`;
  useEffect(() => {
    if (isChecking) return;
    if (said.current !== undefined && said.current !== now) announce(now);
    said.current = now;
  }, [now, isChecking, announce]);
}
