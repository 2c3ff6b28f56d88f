/** The attempts that go on at this moment: the last picture, the step, the reward, and how much of the budget is used. */
import { useEffect, useState } from 'react';
import type { AttemptRow } from '../../../src/view/index.ts';
import { seconds, signed } from '../../../src/view/texts.ts';
import { call } from '../api/client.ts';
import { useAnnounce } from '../shell/announcer.tsx';
import { ConfirmButton } from '../ui/confirm.tsx';
import { nameOf } from '../viewer/attempt-list.tsx';
import { Panel } from '../viewer/panel.tsx';
import { RewardBars } from '../viewer/reward-bars.tsx';
import { useLinks, ViewLink } from '../viewer/viewer-links.tsx';

/** More do not fit on a page. */
const SHOWN = 12;

export function LiveAttempts({ run, rows }: { run: string; rows: readonly AttemptRow[] }) {
  const running = rows.filter(({ live }) => live !== undefined);
  if (running.length === 0) return null;
  return (
    <Panel title="Running" about={`${running.length}`}>
      <ul className="v-live">
        {running.slice(0, SHOWN).map((row) => (
          <LiveItem key={row.id} run={run} row={row} />
        ))}
      </ul>
      {running.length > SHOWN && <p className="muted">And {running.length - SHOWN} more, in the list below.</p>}
    </Panel>
  );
}

function LiveItem({ run, row }: { run: string; row: AttemptRow }) {
  const links = useLinks();
  const now = useNow();
  const { live, id, steps, rewards, rewardSum, tokens, cost } = row;
  if (!live) return null;
  const { frame, tool, url, lanes, maxSteps, maxDurationMs, maxTokens, maxCost, startedAt } = live;
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
        {rewardSum !== null && `, reward so far ${signed(rewardSum)}`}
      </p>
      {tokens !== undefined && (
        <p className="muted">
          {tokens}
          {maxTokens !== undefined && ` of at most ${maxTokens.toLocaleString('en')}`} tokens
          {cost !== undefined && `, cost ${cost}`}
          {maxCost !== undefined && ` of at most $${maxCost}`}
        </p>
      )}
      {lanes && (
        <ul className="v-lanes">
          {lanes.map((lane) => (
            <li key={lane.id}>
              lane {lane.id}: <code>{lane.tool}</code>
            </li>
          ))}
        </ul>
      )}
      <RewardBars scores={rewards} />
      <p className="muted v-live-url">{url}</p>
      <StopAttempt run={run} row={row} />
    </li>
  );
}

function StopAttempt({ run, row }: { run: string; row: AttemptRow }) {
  const announce = useAnnounce();
  return (
    <div>
      <ConfirmButton
        action="Stop"
        of={nameOf(row)}
        small
        keep="Let it run"
        title={`Stop ${nameOf(row)}?`}
        onConfirm={async () => {
          await call('post', '/run-folders/{id}/attempts/{attempt}/stop', { params: { id: run, attempt: row.id } });
          announce(`${nameOf(row)} was asked to stop.`);
        }}
      >
        <p>The others go on. It counts as interrupted, not as a failure of the agent, and can be tried again.</p>
      </ConfirmButton>
    </div>
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
