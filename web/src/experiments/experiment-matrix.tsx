/** Cases by runs: a row per case, a column per run, a mark per trial. Only the rows in sight are in the document. */
import { Link } from '@tanstack/react-router';
import { useRef } from 'react';
import type { AnyRun, Experiment } from '../api/queries.ts';
import { CellMark } from '../viewer/matrix.tsx';
import { Spacer, useVisibleRows } from '../viewer/virtual-rows.tsx';
import { runLetter } from './run-letter.ts';

/** As in viewer.css. */
const ROW_HEIGHT = 32;

export function ExperimentMatrix({ experiment: { runs, cases } }: { experiment: Experiment }) {
  const box = useRef<HTMLElement>(null);
  const { from, to } = useVisibleRows(box, cases.length, ROW_HEIGHT);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must take the focus, or the keyboard can't scroll it
    <section className="scroll-box v-tall" ref={box} aria-label="Outcomes of cases by runs" tabIndex={0}>
      <table className="v-matrix" aria-rowcount={cases.length + 1}>
        <thead>
          <tr>
            <th scope="col">Case</th>
            {runs.map(({ run, name }, index) => (
              <th key={run.id} scope="col" title={name}>
                {runLetter(index)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Spacer rows={from} height={ROW_HEIGHT} columns={runs.length + 1} />
          {cases.slice(from, to).map(({ caseId, trials }, index) => (
            <tr key={caseId} aria-rowindex={from + index + 2}>
              <th scope="row">{caseId}</th>
              {runs.map(({ run }, at) => (
                <td key={run.id}>
                  {trials[at]?.map((trial) => (
                    <Trial key={trial.id} run={run} letter={runLetter(at)} caseId={caseId} trial={trial} />
                  ))}
                </td>
              ))}
            </tr>
          ))}
          <Spacer rows={cases.length - to} height={ROW_HEIGHT} columns={runs.length + 1} />
        </tbody>
      </table>
    </section>
  );
}

interface TrialProps {
  run: AnyRun;
  letter: string;
  caseId: string;
  trial: Experiment['cases'][number]['trials'][number][number];
}

function Trial({ run, letter, caseId, trial: { id, trial, outcome, tone } }: TrialProps) {
  const words = `${caseId}, trial ${trial} of ${letter}: ${outcome.replaceAll('_', ' ')}`;
  const mark = <CellMark tone={tone} words={words} />;
  // A question has no page of its own in a folder, and what has not begun has no attempt.
  if (run.kind !== 'agent' || outcome === 'not_finished') return mark;
  return (
    <Link to="/folders/$id/$attempt" params={{ id: run.id, attempt: id }}>
      {mark}
    </Link>
  );
}
