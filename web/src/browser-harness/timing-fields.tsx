import { TextField } from '../ui/field.tsx';
import { type Change, type Draft, millisecondsOf } from './draft.ts';

const WRONG = 'A number of seconds.';

/** The timing of the script, in seconds. The defaults are those of the runtime. */
export function TimingFields({ draft, change }: { draft: Draft; change: Change }) {
  const { timing } = draft;
  const set = (next: Partial<Draft['timing']>) => change({ timing: { ...timing, ...next } });
  return (
    <details className="harness-details">
      <summary>
        Timing{' '}
        <span className="muted">
          {timing.quiet} s of quiet, {timing.pace} s between items, at most {timing.timeout} s an answer
        </span>
      </summary>
      <div className="harness-details-body">
        <div className="form-row">
          <TextField
            label="Quiet time (s)"
            inputMode="decimal"
            autoComplete="off"
            value={timing.quiet}
            hint="How long an answer must not change to be whole."
            error={millisecondsOf(timing.quiet, 1) === undefined ? WRONG : undefined}
            onChange={(quiet) => set({ quiet })}
          />
          <TextField
            label="Between items (s)"
            inputMode="decimal"
            autoComplete="off"
            value={timing.pace}
            hint="Give or take a half, by chance."
            error={millisecondsOf(timing.pace) === undefined ? WRONG : undefined}
            onChange={(pace) => set({ pace })}
          />
          <TextField
            label="Longest answer (s)"
            inputMode="decimal"
            autoComplete="off"
            value={timing.timeout}
            hint="Then the item is an error, and the next one begins."
            error={millisecondsOf(timing.timeout, 1) === undefined ? WRONG : undefined}
            onChange={(timeout) => set({ timeout })}
          />
        </div>
      </div>
    </details>
  );
}
