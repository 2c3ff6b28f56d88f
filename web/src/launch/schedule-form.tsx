/** A schedule being made or changed: its name and its times, around what it launches. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { call } from '../api/client.ts';
import { useAnnounce } from '../shell/announcer.tsx';
import { Button } from '../ui/button.tsx';
import { CheckField, TextField } from '../ui/field.tsx';
import { Failure } from '../ui/problem.tsx';
import { CronFields, type Times } from './cron-fields.tsx';
import type { Schedule } from './launch-draft.ts';
import type { ScheduledRequest, ScheduleInput } from './schedule-queries.ts';
import { here } from './when.ts';

interface ScheduleFormProps {
  /** Undefined: a new one. */
  schedule: Schedule | undefined;
  /** Of a new one. */
  title: string;
  /** What is launched; undefined until it is whole. */
  request: ScheduledRequest | undefined;
  /** What is known of it before it is saved. */
  notes: ReactNode;
  /** The fields of the request. */
  children: ReactNode;
  onClose: () => void;
}

export function ScheduleForm({ schedule, title, request, notes, children, onClose }: ScheduleFormProps) {
  const [name, setName] = useState(schedule?.name ?? '');
  const [enabled, setEnabled] = useState(schedule?.enabled ?? true);
  const [times, setTimes] = useState<Times>({
    cron: schedule?.cron ?? '0 3 * * *',
    timezone: schedule?.timezone ?? here(),
  });
  const save = useSave(schedule, onClose);
  const isWhole = request !== undefined && name.trim() !== '' && times.cron.trim() !== '';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isWhole && !save.isPending) save.mutate({ ...request, ...times, name: name.trim(), enabled });
  };
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <form className="launch-form" aria-labelledby="schedule-form" onSubmit={submit}>
      <section className="panel" aria-labelledby="schedule-form">
        <h2 id="schedule-form" ref={heading} tabIndex={-1}>
          {schedule ? `Edit ${schedule.name}` : title}
        </h2>
        <div className="form">
          <TextField label="Name" required autoComplete="off" maxLength={200} value={name} onChange={setName} />
          <CronFields times={times} onChange={setTimes} />
          <CheckField
            label="Enabled"
            checked={enabled}
            hint="If the server was not running at a scheduled time, one run is started when it is back."
            onChange={setEnabled}
          />
        </div>
      </section>
      {children}
      <section className="panel" aria-label="Save">
        {notes}
        {save.error && <Failure error={save.error} />}
        <div className="actions">
          <Button type="submit" kind="primary" busy={save.isPending}>
            {schedule ? 'Save' : 'Create the schedule'}
          </Button>
          <Button onClick={onClose}>Close</Button>
        </div>
      </section>
    </form>
  );
}

function useSave(schedule: Schedule | undefined, onSaved: () => void) {
  const client = useQueryClient();
  const announce = useAnnounce();
  return useMutation({
    mutationFn: (json: ScheduleInput) =>
      schedule
        ? call('put', '/schedules/{id}', { params: { id: schedule.id }, json })
        : call('post', '/schedules', { json }),
    onSuccess: async ({ name }) => {
      announce(`The schedule ${name} is saved.`);
      await client.invalidateQueries({ queryKey: ['schedules'] });
      onSaved();
    },
  });
}
