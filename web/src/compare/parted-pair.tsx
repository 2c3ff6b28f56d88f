/** Where two trajectories of one case part: both steps with their pictures, and the way to both attempts. */
import { Link } from '@tanstack/react-router';
import { urlOf } from '../../../src/server/client.ts';
import type { AnyRun, EpisodeComparison } from '../api/queries.ts';

type Pair = EpisodeComparison['parted'][number];

/** Only the first ones are open: each has two pictures. */
export function PartedPair({ pair, a, b, isOpen }: { pair: Pair; a: AnyRun; b: AnyRun; isOpen: boolean }) {
  return (
    <article className="parted">
      <details open={isOpen}>
        <summary>{pair.sentence}</summary>
        <div className="columns">
          <Side letter="A" side={pair.a} run={a} caseId={pair.caseId} />
          <Side letter="B" side={pair.b} run={b} caseId={pair.caseId} />
        </div>
      </details>
    </article>
  );
}

function Side({ letter, side, run, caseId }: { letter: 'A' | 'B'; side: Pair['a']; run: AnyRun; caseId: string }) {
  const { attempt, step, caption, picture, answer } = side;
  return (
    <figure className="side parted-side">
      <figcaption>
        {letter}: {caption}
        <br />
        {run.kind === 'agent' && (
          <Link to="/folders/$id/$attempt" params={{ id: run.id, attempt }} search={step === null ? {} : { step }}>
            {step === null ? `Open ${caseId} of ${letter}` : `Open this step of ${caseId} of ${letter}`}
          </Link>
        )}
      </figcaption>
      {answer !== null && <pre className="parted-answer">{answer}</pre>}
      {run.kind === 'agent' &&
        (picture === null ? (
          <p className="muted">There is no picture of it.</p>
        ) : (
          <img
            src={pictureUrl(run.id, attempt, picture)}
            alt={`What the page of ${letter} showed then: ${caption}`}
            loading="lazy"
          />
        ))}
    </figure>
  );
}

function pictureUrl(id: string, attempt: string, picture: string): string {
  const file = picture.replace(/^screenshots\//, '');
  return urlOf('/run-folders/{id}/attempts/{attempt}/screenshots/{file}', { id, attempt, file });
}
