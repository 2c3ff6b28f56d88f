/** A schedule being made or changed. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { call } from '../api/client.ts';
import { useAnnounce } from '../shell/announcer.tsx';
import { Button } from '../ui/button.tsx';
import { CheckField, TextField } from '../ui/field.tsx';
import { Failure } from '../ui/problem.tsx';
import { CheckNotes } from './check-notes.tsx';
import { CronFields, type Times } from './cron-fields.tsx';
import { JudgeFields } from './judge-fields.tsx';
import { draftOf, emptyDraft, type LaunchDraft, requestOf, type Schedule } from './launch-draft.ts';
import { ModelFields } from './model-fields.tsx';
import type { ScheduleInput } from './schedule-queries.ts';
import { ScopeFields } from './scope-fields.tsx';
import { useLaunchCheck } from './use-launch-check.ts';
import { here } from './when.ts';

interface ScheduleFormProps {
  /** Undefined: a new one. */
  schedule: Schedule | undefined;
  from: { datasetId?: string; providerId?: string };
  onClose: () => void;
}

export function ScheduleForm({ schedule, from, onClose }: ScheduleFormProps) {
  const [draft, setDraft] = useState(() => (schedule ? draftOf(schedule) : emptyDraft(from)));
  const [name, setName] = useState(schedule?.name ?? '');
  const [enabled, setEnabled] = useState(schedule?.enabled ?? true);
  const [times, setTimes] = useState<Times>({
    cron: schedule?.cron ?? '0 3 * * *',
    timezone: schedule?.timezone ?? here(),
  });
  const change = (next: Partial<LaunchDraft>) => setDraft((last) => ({ ...last, ...next }));
  const check = useLaunchCheck(draft);
  const save = useSave(schedule, onClose);
  const request = requestOf(draft);
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
          {schedule ? `Edit ${schedule.name}` : 'New schedule'}
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
      <section className="panel" aria-labelledby="schedule-scope">
        <h2 id="schedule-scope">Questions</h2>
        <p className="muted">Each run uses the version of the dataset that is current at that time.</p>
        <ScopeFields draft={draft} change={change} />
      </section>
      <section className="panel" aria-labelledby="schedule-model">
        <h2 id="schedule-model">Model under test</h2>
        <ModelFields draft={draft} change={change} />
      </section>
      {check.needsJudge && <JudgeFields draft={draft} change={change} />}
      <section className="panel" aria-label="Save">
        <CheckNotes check={check} />
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
