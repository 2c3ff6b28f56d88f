/** What all graders say of one attempt, side by side, with the files that belong to them. */
import type { AttemptView, GradeView } from '../../../src/view/index.ts';
import { Panel } from './panel.tsx';
import { Tag, VerdictChip } from './tones.tsx';
import { FileLink } from './viewer-links.tsx';

export function GradesPanel({ attempt: { graded, folder } }: { attempt: AttemptView }) {
  if (!graded) return null;
  return (
    <Panel title="Grades">
      <ul className="v-grades">
        {graded.grades.map((grade) => (
          <li key={grade.grader}>
            <GradeLine grade={grade} decides={grade.grader === graded.decidedBy} />
            {grade.artifacts && grade.artifacts.length > 0 && (
              <details>
                <summary>
                  {grade.artifacts.length} {grade.artifacts.length === 1 ? 'file' : 'files'}
                </summary>
                <ul>
                  {grade.artifacts.map((key) => (
                    <li key={key}>
                      <FileLink path={`${folder}/${key}`}>{key}</FileLink>
                    </li>
                  ))}
                </ul>
              </details>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

export function GradeLine({ grade, decides }: { grade: GradeView; decides: boolean }) {
  const { grader, verdict, score, model, reasoning } = grade;
  const isPartly = score !== null && score > 0 && score < 1;
  return (
    <>
      <p>
        <b>{grader}</b> <VerdictChip verdict={verdict} /> {decides && <Tag>decides</Tag>}{' '}
        {isPartly && <span className="muted">score {score.toFixed(2)}</span>}{' '}
        {model !== undefined && <span className="muted">{model}</span>}
      </p>
      <p className="v-said">{reasoning}</p>
    </>
  );
}
