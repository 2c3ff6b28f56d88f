/** Cases by trials: a row per case, a cell per trial. Only the rows in sight are in the document. */
import { useMemo, useRef } from 'react';
import type { AttemptRow, Tone } from '../../../src/view/index.ts';
import { seconds } from '../../../src/view/texts.ts';
import { useLinks, ViewLink } from './viewer-links.tsx';
import { Spacer, useVisibleRows } from './virtual-rows.tsx';

/** As in viewer.css. */
const ROW_HEIGHT = 32;

export function Matrix({ rows }: { rows: readonly AttemptRow[] }) {
  const box = useRef<HTMLElement>(null);
  const cases = useMemo(() => [...Map.groupBy(rows, ({ caseId }) => caseId)], [rows]);
  const trials = useMemo(() => [...new Set(rows.map(({ trial }) => trial))].sort((a, b) => a - b), [rows]);
  const { from, to } = useVisibleRows(box, cases.length, ROW_HEIGHT);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must take the focus, or the keyboard can't scroll it
    <section className="scroll-box v-tall" ref={box} aria-label="Cases by trials" tabIndex={0}>
      <table className="v-matrix" aria-rowcount={cases.length + 1}>
        <thead>
          <tr>
            <th scope="col">Case</th>
            {trials.map((trial) => (
              <th key={trial} scope="col">
                {trial}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Spacer rows={from} height={ROW_HEIGHT} columns={trials.length + 1} />
          {cases.slice(from, to).map(([caseId, of], index) => (
            <tr key={caseId} aria-rowindex={from + index + 2}>
              <th scope="row">{caseId}</th>
              {trials.map((trial) => (
                <td key={trial}>
                  <Cell row={of.find((row) => row.trial === trial)} />
                </td>
              ))}
            </tr>
          ))}
          <Spacer rows={cases.length - to} height={ROW_HEIGHT} columns={trials.length + 1} />
        </tbody>
      </table>
    </section>
  );
}

/** A letter that tells the tones apart without colour. */
const LETTERS = { good: '✓', bad: '✗', fault: '!', open: '…' } as const;

/** One attempt; `words` say in full what it stands for. */
export function CellMark({ tone, words, differs = false }: { tone: Tone; words: string; differs?: boolean }) {
  return (
    <span className={`v-cell v-cell-${tone}`} title={words}>
      <span aria-hidden="true">
        {LETTERS[tone]}
        {differs && '≠'}
      </span>
      <span className="visually-hidden">{words}</span>
    </span>
  );
}

function Cell({ row }: { row: AttemptRow | undefined }) {
  const links = useLinks();
  if (!row) return null;
  const words = `${row.caseId}, trial ${row.trial}: ${row.status}${row.outcome === undefined ? '' : `, ${row.outcome}`}, ${row.steps} steps, ${seconds(row.durationMs)}`;
  const mark = <CellMark tone={row.tone} words={words} differs={row.differs === true} />;
  return row.hasJournal ? <ViewLink href={links.attempt(row.id)}>{mark}</ViewLink> : mark;
}
