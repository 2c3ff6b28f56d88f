/** The contract over time: a row per condition, a column per step at which it was evaluated. */
import { useMemo } from 'react';
import type { AttemptView } from '../../../src/view/index.ts';
import { contractHistory } from '../../../src/view/texts.ts';
import { ScrollBox } from '../ui/scroll-box.tsx';
import { ChangeList } from './change-list.tsx';
import { ContractTree } from './contract-tree.tsx';
import { Panel } from './panel.tsx';
import { VerdictMark } from './tones.tsx';

/** Wider tables are no help. */
const MOST_COLUMNS = 200;

interface Props {
  attempt: AttemptView;
  selected: number | undefined;
  onStep: (seq: number) => void;
}

export function ContractPanel({ attempt, selected, onStep }: Props) {
  const { steps, final, finalVerdict, finalLines } = attempt;
  const { conditions, columns } = useMemo(() => contractHistory(steps, final), [steps, final]);
  const shown = columns.slice(-MOST_COLUMNS);
  return (
    <Panel title={`Contract at the end: ${finalVerdict}`}>
      {finalVerdict === 'not judged' ? <p>The contract was never judged.</p> : <ContractTree lines={finalLines} />}
      {final && final.changes.length > 0 && (
        <>
          <p>Since the last step:</p>
          <ChangeList changes={final.changes} otherwise="" />
        </>
      )}
      {conditions.length > 0 && (
        <details className="v-more">
          <summary>Over time</summary>
          <ScrollBox label="The contract over time">
            <table className="v-grid">
              <thead>
                <tr>
                  <th scope="col">condition</th>
                  {shown.map(({ seq, label }) => (
                    <th key={label + (seq ?? '')} scope="col">
                      {seq === undefined ? (
                        label
                      ) : (
                        <button
                          type="button"
                          className="v-plain"
                          aria-label={`Step ${label}`}
                          aria-current={seq === selected}
                          onClick={() => onStep(seq)}
                        >
                          {label}
                        </button>
                      )}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {conditions.map(({ depth, text }, row) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a condition is its place in the tree
                  <tr key={row}>
                    <th scope="row" className={`v-depth-${depth}`}>
                      {text}
                    </th>
                    {shown.map(({ seq, label, marks }) => {
                      const mark = marks[row];
                      return (
                        <td key={label + (seq ?? '')} aria-current={seq === selected && seq !== undefined}>
                          {mark === undefined ? '–' : <VerdictMark verdict={mark} />}
                        </td>
                      );
                    })}
                  </tr>
                ))}
              </tbody>
            </table>
          </ScrollBox>
        </details>
      )}
    </Panel>
  );
}
