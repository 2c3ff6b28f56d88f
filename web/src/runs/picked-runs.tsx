/** Above the list: which two runs are picked, and the way to their comparison. */
import type { AnyRun } from '../api/queries.ts';
import { whyNotComparable } from '../compare/comparable.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { anyRunName } from './any-run-name.ts';

export function PickedRuns({ picked, onClear }: { picked: readonly AnyRun[]; onClear: () => void }) {
  const [a, b] = picked;
  const why = a && b && whyNotComparable(a, b);
  return (
    <div className="picked" aria-live="polite">
      {!a && <span className="muted">Tick two runs of one dataset version, or of one suite, to compare them.</span>}
      {a && !b && <span>{anyRunName(a)} is ticked. Tick another to compare.</span>}
      {why !== undefined && <span>{why}</span>}
      {a && b && why === undefined && (
        <>
          <span>
            {anyRunName(a)} and {anyRunName(b)}
          </span>
          <ButtonLink to="/compare" search={{ a: a.id, b: b.id }} kind="primary" small>
            Compare these two
          </ButtonLink>
        </>
      )}
      {a && (
        <Button small onClick={onClear}>
          Untick
        </Button>
      )}
    </div>
  );
}
