/** Above the list: which two runs are picked, and the way to their comparison. */
import type { Run } from '../api/queries.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { runName } from './run-name.ts';

export function PickedRuns({ picked, onClear }: { picked: readonly Run[]; onClear: () => void }) {
  const [a, b] = picked;
  const isSame = a?.dataset.id === b?.dataset.id && a?.dataset.version_hash === b?.dataset.version_hash;
  return (
    <div className="picked" aria-live="polite">
      {!a && <span className="muted">Tick two runs of one dataset version to compare them.</span>}
      {a && !b && <span>{runName(a)} is ticked. Tick another to compare.</span>}
      {a && b && !isSame && (
        <span>These two are not of the same version of one dataset, so they can't be compared.</span>
      )}
      {a && b && isSame && (
        <>
          <span>
            {runName(a)} and {runName(b)}
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
