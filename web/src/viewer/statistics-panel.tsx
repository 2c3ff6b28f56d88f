/** Statistics over all cases and of each case, its interval drawn; and the cases that pass in some trials only. */
import type { RunView } from '../../../src/view/index.ts';
import { CASE_COLUMNS } from '../../../src/view/texts.ts';
import { IntervalBar } from '../plots/interval-bar.tsx';
import { ScrollBox } from '../ui/scroll-box.tsx';
import { Panel } from './panel.tsx';

/** Cases with a row of their own; report.md has all of them. */
const LISTED = 200;

export function StatisticsPanel({ run: { statistics } }: { run: RunView }) {
  const { sentences, cases, flaky } = statistics;
  const shown = cases.slice(0, LISTED);
  return (
    <>
      <Panel title="Statistics">
        <ul>
          {sentences.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
        {shown.length > 0 && (
          <ScrollBox label="Statistics of each case" tall>
            <table className="v-grid">
              <thead>
                <tr>
                  <th scope="col">case</th>
                  <th scope="col">pass rate and its 95 % interval</th>
                  {CASE_COLUMNS.map((name) => (
                    <th key={name} scope="col" className="end">
                      {name}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {shown.map(({ caseId, validOnly: { rate, interval }, cells }) => (
                  <tr key={caseId}>
                    <th scope="row">{caseId}</th>
                    <td className="v-interval">
                      {rate === null ? '–' : <IntervalBar value={rate} low={interval.low} high={interval.high} />}
                    </td>
                    {cells.map((cell, index) => (
                      <td key={CASE_COLUMNS[index]} className="end">
                        {cell}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </ScrollBox>
        )}
        {cases.length > LISTED && <p className="muted">{cases.length - LISTED} more cases are in report.md.</p>}
      </Panel>
      {flaky.length > 0 && (
        <Panel title="Flaky" about="passed in some trials, and not in others">
          <ul className="v-flaky">
            {flaky.slice(0, LISTED).map(({ caseId, passed, of }) => (
              <li key={caseId}>
                {caseId} <span className="muted number">{`${passed} of ${of} passed`}</span>
              </li>
            ))}
          </ul>
        </Panel>
      )}
    </>
  );
}
