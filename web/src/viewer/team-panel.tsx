/** Who did what: the timeline, a table of roles, the delegations with what came of them, and what was said. */
import type { AttemptView, LaneMessage } from '../../../src/view/index.ts';
import { ROLE_COLUMNS, seconds } from '../../../src/view/texts.ts';
import { Badge } from '../ui/badge.tsx';
import { ScrollBox } from '../ui/scroll-box.tsx';
import { Panel } from './panel.tsx';
import { TextBlock } from './text-block.tsx';
import { Timeline } from './timeline.tsx';
import { Tag } from './tones.tsx';

interface Props {
  attempt: AttemptView;
  onStep: (seq: number) => void;
}

export function TeamPanel({ attempt: { team, timeline }, onStep }: Props) {
  if (!team) return null;
  return (
    <Panel title="Who did what">
      {team.origin !== undefined && <p className="notice notice-warning">{team.origin}</p>}
      {timeline && <Timeline timeline={timeline} onStep={onStep} />}
      <ScrollBox label="Roles">
        <table className="v-grid v-facts-wide">
          <thead>
            <tr>
              <th scope="col">Role</th>
              <th scope="col">Model</th>
              {ROLE_COLUMNS.map((name) => (
                <th key={name} scope="col" className="end">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {team.roles.map(({ name, models, cells }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{models}</td>
                {cells.map((cell, index) => (
                  <td key={ROLE_COLUMNS[index]} className="end">
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
      {team.delegations.length > 0 && (
        <>
          <h3>Delegations</h3>
          <ol className="v-delegations">
            {team.delegations.map((one, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: delegations are never reordered
              <li key={index}>
                <b>{one.executorId}</b> <Badge tone={toneOf(one.status)}>{one.status}</Badge>{' '}
                <span className="muted">{one.about}</span>
                <p>{one.instruction}</p>
                <p className="muted">{one.summary}</p>
              </li>
            ))}
          </ol>
        </>
      )}
    </Panel>
  );
}

function toneOf(status: string): 'good' | 'bad' | 'warning' {
  return status === 'done' ? 'good' : status === 'aborted' ? 'warning' : 'bad';
}

const KINDS: Readonly<Record<LaneMessage['kind'], string>> = {
  user: 'user',
  assistant: 'assistant',
  delegation: 'delegated to',
  delegation_result: 'came back from',
  error: 'error',
};

/** A column per lane where the window is wide enough; in order of time otherwise. */
export function MessagesPanel({ attempt: { messages } }: { attempt: AttemptView }) {
  const { messages: all, leftOut } = messages;
  if (all.length === 0) return null;
  return (
    <Panel title="Messages" about={`${all.length}${leftOut > 0 ? ` of ${all.length + leftOut}` : ''}`}>
      <ScrollBox label="All messages" tall>
        <ol className="v-messages">
          {all.map(({ seq, at, lane, kind, text, status }) => (
            <li key={seq} className={lane === 'main' ? undefined : 'v-message-inner'}>
              <p className="muted">
                {KINDS[kind]} {lane !== 'main' && <Tag>{lane}</Tag>} {status !== undefined && status} at {seconds(at)}
              </p>
              <TextBlock text={text} label={`${KINDS[kind]} ${lane}`} />
            </li>
          ))}
        </ol>
      </ScrollBox>
    </Panel>
  );
}
