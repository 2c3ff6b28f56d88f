import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { call } from '../api/client.ts';
import { Button } from '../ui/button.tsx';
import { SelectField, TextField } from '../ui/field.tsx';
import { useSettled } from '../ui/use-settled.ts';
import { exactly, inWords, timeZones } from './when.ts';

const USUAL = [
  { name: 'Every hour', cron: '0 * * * *' },
  { name: 'Every night at 3', cron: '0 3 * * *' },
  { name: 'Monday to Friday at 3', cron: '0 3 * * 1-5' },
  { name: 'Mondays at 3', cron: '0 3 * * 1' },
] as const;

export interface Times {
  readonly cron: string;
  readonly timezone: string;
}

interface CronProps {
  times: Times;
  onChange: (times: Times) => void;
}

/** A cron expression, with the times that come of it. */
export function CronFields({ times, onChange }: CronProps) {
  const preview = useTimes(times);
  const error = times.cron.trim() === '' ? undefined : (preview?.message ?? undefined);
  return (
    <>
      <fieldset>
        <legend>Usual times</legend>
        <div className="actions">
          {USUAL.map(({ name, cron }) => (
            <Button key={cron} small aria-pressed={times.cron === cron} onClick={() => onChange({ ...times, cron })}>
              {name}
            </Button>
          ))}
        </div>
      </fieldset>
      <div className="form-row">
        <TextField
          label="Cron expression"
          required
          autoComplete="off"
          spellCheck={false}
          value={times.cron}
          error={error}
          hint="Minute, hour, day of the month, month, day of the week."
          onChange={(cron) => onChange({ ...times, cron })}
        />
        <SelectField
          label="Time zone"
          value={times.timezone}
          options={timeZones().map((zone) => ({ value: zone, name: zone }))}
          onChange={(timezone) => onChange({ ...times, timezone })}
        />
      </div>
      {preview?.valid && (
        <div>
          <p className="label">Next times</p>
          <ul className="schedule-times">
            {preview.next.slice(0, 3).map((time) => (
              <li key={time}>
                {exactly(time, times.timezone)} <span className="muted">({inWords(time, Date.now())})</span>
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}

function useTimes({ cron, timezone }: Times) {
  const settled = useSettled(cron);
  const { data } = useQuery({
    queryKey: ['schedules', 'preview', settled, timezone],
    queryFn: ({ signal }) => call('get', '/schedules/preview', { query: { cron: settled, timezone }, signal }),
    enabled: settled.trim() !== '',
    placeholderData: keepPreviousData,
  });
  return settled.trim() === '' ? undefined : data;
}
