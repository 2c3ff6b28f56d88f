/** All attempts at a glance. What no attempt has is no column; only the rows in sight are in the document. */
import { type ReactNode, useRef } from 'react';
import type { AttemptRow } from '../../../src/view/index.ts';
import { seconds, signed } from '../../../src/view/texts.ts';
import { RewardBars } from './reward-bars.tsx';
import { StatusChip, Tag } from './tones.tsx';
import { useLinks, ViewLink } from './viewer-links.tsx';
import { Spacer, useVisibleRows } from './virtual-rows.tsx';

/** As in viewer.css. */
const ROW_HEIGHT = 36;

interface Column {
  name: string;
  isNumber?: boolean;
  cell: (row: AttemptRow) => ReactNode;
}

export function AttemptList({ rows }: { rows: readonly AttemptRow[] }) {
  const box = useRef<HTMLElement>(null);
  const { from, to } = useVisibleRows(box, rows.length, ROW_HEIGHT);
  const links = useLinks();
  const columns = columnsFor(rows);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must take the focus, or the keyboard can't scroll it
    <section className="scroll-box v-tall" ref={box} aria-label="List of attempts" tabIndex={0}>
      <table className="v-list" aria-rowcount={rows.length + 1}>
        <thead>
          <tr>
            <th scope="col">Task</th>
            {columns.map(({ name, isNumber }) => (
              <th key={name} scope="col" className={isNumber ? 'end' : undefined}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Spacer rows={from} height={ROW_HEIGHT} columns={columns.length + 1} />
          {rows.slice(from, to).map((row, index) => (
            <tr key={row.id} aria-rowindex={from + index + 2}>
              <th scope="row">
                {row.hasJournal ? <ViewLink href={links.attempt(row.id)}>{nameOf(row)}</ViewLink> : nameOf(row)}
              </th>
              {columns.map(({ name, isNumber, cell }) => (
                <td key={name} className={isNumber ? 'end' : undefined}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
          <Spacer rows={rows.length - to} height={ROW_HEIGHT} columns={columns.length + 1} />
        </tbody>
      </table>
    </section>
  );
}

export function nameOf({ caseId, trial, attempt }: Pick<AttemptRow, 'caseId' | 'trial' | 'attempt'>): string {
  return `${caseId}${trial > 1 ? `, trial ${trial}` : ''}${attempt > 1 ? `, attempt ${attempt}` : ''}`;
}

function columnsFor(rows: readonly AttemptRow[]): Column[] {
  const has = (key: keyof AttemptRow): boolean => rows.some((row) => row[key] !== undefined);
  const ofNumber = (name: string, cell: Column['cell']): Column => ({ name, isNumber: true, cell });
  return [
    { name: 'Status', cell: (row) => <StatusChip status={row.status} tone={row.tone} /> },
    { name: 'Outcome', cell: ({ outcome }) => outcome ?? '–' },
    ...(has('claim') ? [{ name: 'Agent says', cell: ({ claim }: AttemptRow) => claim ?? '–' }] : []),
    ofNumber('Steps', ({ steps }) => steps),
    ofNumber('Calls', ({ calls }) => calls),
    ofNumber('Errors', ({ errors }) => errors),
    { name: 'Reward of each step', cell: ({ rewards }) => <RewardBars scores={rewards} /> },
    ofNumber('Sum', ({ rewardSum }) => (rewardSum === null ? '–' : signed(rewardSum))),
    ...(has('tokens')
      ? [ofNumber('Tokens', ({ tokens }) => tokens ?? '–'), ofNumber('Cost', ({ cost }) => cost ?? '–')]
      : []),
    ofNumber('Time', ({ durationMs }) => seconds(durationMs)),
    ...(rows.some(({ marks, differs, isQuarantined }) => marks.length > 0 || differs || isQuarantined)
      ? [{ name: 'Marks', cell: (row: AttemptRow) => <Marks row={row} /> }]
      : []),
  ];
}

function Marks({ row: { marks, differs, isQuarantined } }: { row: AttemptRow }) {
  return (
    <>
      {[...marks, ...(differs ? ['graders differ'] : []), ...(isQuarantined ? ['quarantined'] : [])].map((mark) => (
        <Tag key={mark}>{mark}</Tag>
      ))}
    </>
  );
}
