/** The graders of a run: side by side, how far they agree with the one that decides, and where they do not. */
import type { GraderTable, RunView } from '../../../src/view/index.ts';
import { ScrollBox } from '../ui/scroll-box.tsx';
import { GradeLine } from './grades-panel.tsx';
import { Panel } from './panel.tsx';
import { useLinks, ViewLink } from './viewer-links.tsx';

/** Attempts in the list of differences that are open. */
const OPEN = 5;

export function GradersPanel({ run: { graders, differences } }: { run: RunView }) {
  if (!graders) return null;
  return (
    <Panel title="Graders">
      <p className="muted">{graders.note}</p>
      <Table title="Verdicts" table={graders.verdicts} />
      {graders.agreement.rows.length > 0 && (
        <Table title="Agreement with the grader that decides" table={graders.agreement} />
      )}
      {graders.notes.map((note) => (
        <p key={note} className="muted">
          {note}
        </p>
      ))}
      {differences.list.length > 0 && <Differences differences={differences} />}
    </Panel>
  );
}

function Differences({ differences: { list, leftOut } }: { differences: RunView['differences'] }) {
  return (
    <>
      <h3>Where graders differ from the one that decides</h3>
      <DifferenceList list={list.slice(0, OPEN)} />
      {list.length > OPEN && (
        <details>
          <summary>{list.length - OPEN} more</summary>
          <DifferenceList list={list.slice(OPEN)} />
        </details>
      )}
      {leftOut > 0 && <p>{leftOut} more are not listed here; report.md lists all of them.</p>}
    </>
  );
}

function DifferenceList({ list }: { list: RunView['differences']['list'] }) {
  const links = useLinks();
  return (
    <ul className="v-differences">
      {list.map(({ id, name, decidedBy, grades }) => (
        <li key={id}>
          <ViewLink href={links.attempt(id)}>{name}</ViewLink>
          <ul className="v-grades">
            {grades.map((grade) => (
              <li key={grade.grader}>
                <GradeLine grade={grade} decides={grade.grader === decidedBy} />
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}

function Table({ title, table: { columns, rows } }: { title: string; table: GraderTable }) {
  return (
    <>
      <h3>{title}</h3>
      <ScrollBox label={title}>
        <table className="v-grid">
          <thead>
            <tr>
              <th scope="col">Grader</th>
              {columns.map((name) => (
                <th key={name} scope="col" className="end">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ grader, about, cells }) => (
              <tr key={grader}>
                <th scope="row">
                  {grader} <span className="muted">{about}</span>
                </th>
                {cells.map((cell, index) => (
                  <td key={columns[index]} className="end">
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
    </>
  );
}
