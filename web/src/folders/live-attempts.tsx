/** The attempts that go on at this moment: the last picture, the step, the reward, and how much of the budget is used. */
import { useEffect, useState } from 'react';
import type { AttemptRow } from '../../../src/view/index.ts';
import { seconds, signed } from '../../../src/view/texts.ts';
import { nameOf } from '../viewer/attempt-list.tsx';
import { Panel } from '../viewer/panel.tsx';
import { RewardBars } from '../viewer/reward-bars.tsx';
import { useLinks, ViewLink } from '../viewer/viewer-links.tsx';

/** More do not fit on a page. */
const SHOWN = 12;

export function LiveAttempts({ rows }: { rows: readonly AttemptRow[] }) {
  const running = rows.filter(({ live }) => live !== undefined);
  if (running.length === 0) return null;
  return (
    <Panel title="Running" about={`${running.length}`}>
      <ul className="v-live">
        {running.slice(0, SHOWN).map((row) => (
          <LiveItem key={row.id} row={row} />
        ))}
      </ul>
      {running.length > SHOWN && <p className="muted">And {running.length - SHOWN} more, in the list below.</p>}
    </Panel>
  );
}

function LiveItem({ row }: { row: AttemptRow }) {
  const links = useLinks();
  const now = useNow();
  const { live, id, steps, rewards } = row;
  if (!live) return null;
  const { frame, tool, url, maxSteps, maxDurationMs, startedAt } = live;
  const elapsed = Math.max(0, now - startedAt);
  return (
    <li>
      <ViewLink href={links.attempt(id)}>{nameOf(row)}</ViewLink>
      {frame === undefined ? (
        <p className="v-no-picture muted">No picture yet.</p>
      ) : (
        <img className="v-live-picture" src={links.picture(id, '', frame)} alt={`The page of ${nameOf(row)} now`} />
      )}
      <p>
        Step {steps}
        {maxSteps !== undefined && ` of at most ${maxSteps}`}
        {tool !== undefined && (
          <>
            : <code>{tool}</code>
          </>
        )}
      </p>
      <p className="muted">
        {seconds(elapsed)}
        {maxDurationMs !== undefined && ` of at most ${seconds(maxDurationMs)}`}
        {rewards.length > 0 && `, last reward ${signed(rewards.at(-1) ?? 0)}`}
      </p>
      <RewardBars scores={rewards} />
      <p className="muted v-live-url">{url}</p>
    </li>
  );
}

function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
