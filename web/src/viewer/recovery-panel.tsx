/** The tree of recovery search: at each fork, what was tried, what it earned, and what was carried out. */
import type { AttemptView } from '../../../src/view/index.ts';
import { signed } from '../../../src/view/texts.ts';
import { Badge } from '../ui/badge.tsx';
import { ScrollBox } from '../ui/scroll-box.tsx';
import { Panel } from './panel.tsx';

type Fork = NonNullable<AttemptView['recoverySearch']>['forks'][number];

export function RecoveryPanel({ attempt: { recoverySearch } }: { attempt: AttemptView }) {
  if (!recoverySearch) return null;
  const { limit, replays, calls, durationMs, substituted, forks } = recoverySearch;
  return (
    <Panel title="Recovery search">
      <p>
        {counted(forks.length, 'search', 'searches')}, {replays} of {limit} replays with{' '}
        {counted(calls, 'call', 'calls')} in {(durationMs / 1000).toFixed(1)} s, none of it charged to the agent. At{' '}
        {counted(substituted, 'step', 'steps')} the harness made another call than the agent’s.
      </p>
      <ol className="v-forks">
        {forks.map((fork) => (
          <ForkItem key={`${fork.step} ${fork.trigger}`} fork={fork} />
        ))}
      </ol>
    </Panel>
  );
}

function ForkItem({ fork: { step, trigger, prefix, candidates, chosen } }: { fork: Fork }) {
  return (
    <li>
      <p>
        <b>Step {step}</b>, after {trigger === 'error' ? 'an error' : 'a stall'}; {counted(prefix, 'call', 'calls')}{' '}
        replayed.
      </p>
      <ScrollBox label={`Candidates at step ${step}`}>
        <table className="v-grid v-candidates">
          <thead>
            <tr>
              {['from', 'call', 'score', 'outcome'].map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {candidates.map((candidate, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: candidates are never reordered
              <Candidate key={index} candidate={candidate} isChosen={index === chosen} />
            ))}
          </tbody>
        </table>
      </ScrollBox>
    </li>
  );
}

function Candidate({ candidate, isChosen }: { candidate: Fork['candidates'][number]; isChosen: boolean }) {
  const { from, tool, arguments: args, score, rank, ...how } = candidate;
  const why = how.reason ?? [how.classification, ...(rank?.reasons ?? [])].join('; ');
  return (
    <tr className={isChosen ? 'v-chosen' : undefined}>
      <td>{from === 'agent' ? 'agent' : 'harness'}</td>
      <td>
        <code>{tool}</code> <span className="muted">{JSON.stringify(args ?? {}).slice(0, 200)}</span>{' '}
        {isChosen && <Badge tone="good">carried out</Badge>}
      </td>
      <td className="end">{score === undefined ? '–' : signed(score)}</td>
      <td>
        {how.outcome === 'known' ? 'tried before' : how.outcome} <span className="muted">{why}</span>
      </td>
    </tr>
  );
}

function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}
