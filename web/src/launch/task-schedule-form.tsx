/** A schedule that starts a run of browser tasks on the server's machine. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { NotAllowed } from '../start/not-allowed.tsx';
import { PreviewPanel } from '../start/preview-panel.tsx';
import { draftOf, EMPTY_DRAFT, requestOf, type StartDraft } from '../start/start-draft.ts';
import { StartFields } from '../start/start-fields.tsx';
import { type StartChoices, startChoicesQuery, useStartCheck } from '../start/start-queries.ts';
import { QueryState } from '../ui/states.tsx';
import type { TaskSchedule } from './launch-draft.ts';
import { ScheduleForm } from './schedule-form.tsx';

interface TaskScheduleFormProps {
  /** Undefined: a new one. */
  schedule: TaskSchedule | undefined;
  from: Partial<StartDraft>;
  onClose: () => void;
}

export function TaskScheduleForm(props: TaskScheduleFormProps) {
  return (
    <QueryState query={useQuery(startChoicesQuery())} what="the suites">
      {(choices) => (choices.allowed ? <AllowedForm {...props} choices={choices} /> : <NotAllowed />)}
    </QueryState>
  );
}

function AllowedForm({ schedule, from, onClose, choices }: TaskScheduleFormProps & { choices: StartChoices }) {
  const [draft, setDraft] = useState(() => (schedule ? draftOf(schedule.tasks) : { ...EMPTY_DRAFT, ...from }));
  const change = (next: Partial<StartDraft>) => setDraft((last) => ({ ...last, ...next }));
  const tasks = requestOf(draft);
  const check = useStartCheck(tasks);
  return (
    <ScheduleForm
      schedule={schedule}
      title="New schedule of browser tasks"
      request={tasks && { tasks }}
      notes={<PreviewPanel check={check} />}
      onClose={onClose}
    >
      <StartFields {...{ draft, change, choices }} />
    </ScheduleForm>
  );
}
