import { TextField } from '../ui/field.tsx';
import { type Change, type Draft, millisecondsOf } from './draft.ts';

const WRONG = 'Enter a number of seconds.';

/** The timing of the script, in seconds. The defaults are those of the runtime. */
export function TimingFields({ draft, change }: { draft: Draft; change: Change }) {
  const { timing } = draft;
  const set = (next: Partial<Draft['timing']>) => change({ timing: { ...timing, ...next } });
  return (
    <details className="harness-details">
      <summary>
        Timing{' '}
        <span className="muted">
          {timing.quiet} s of quiet time, {timing.pace} s between items, at most {timing.timeout} s per answer
        </span>
      </summary>
      <div className="harness-details-body">
        <div className="form-row">
          <TextField
            label="Quiet time (s)"
            inputMode="decimal"
            autoComplete="off"
            value={timing.quiet}
            hint="An answer is complete when it has not changed for this long."
            error={millisecondsOf(timing.quiet, 1) === undefined ? WRONG : undefined}
            onChange={(quiet) => set({ quiet })}
          />
          <TextField
            label="Between items (s)"
            inputMode="decimal"
            autoComplete="off"
            value={timing.pace}
            hint="Varied at random by up to half."
            error={millisecondsOf(timing.pace) === undefined ? WRONG : undefined}
            onChange={(pace) => set({ pace })}
          />
          <TextField
            label="Time limit per answer (s)"
            inputMode="decimal"
            autoComplete="off"
            value={timing.timeout}
            hint="After that, the item is recorded as an error and the next one starts."
            error={millisecondsOf(timing.timeout, 1) === undefined ? WRONG : undefined}
            onChange={(timeout) => set({ timeout })}
          />
        </div>
      </div>
    </details>
  );
}
