/** A schedule that asks a model the questions of a dataset. */
import { useState } from 'react';
import { CheckNotes } from './check-notes.tsx';
import { JudgeFields } from './judge-fields.tsx';
import { draftOf, emptyDraft, type LaunchDraft, type QuestionSchedule, requestOf } from './launch-draft.ts';
import { ModelFields } from './model-fields.tsx';
import { ScheduleForm } from './schedule-form.tsx';
import { ScopeFields } from './scope-fields.tsx';
import { useLaunchCheck } from './use-launch-check.ts';

interface QuestionScheduleFormProps {
  /** Undefined: a new one. */
  schedule: QuestionSchedule | undefined;
  from: { datasetId?: string; providerId?: string };
  onClose: () => void;
}

export function QuestionScheduleForm({ schedule, from, onClose }: QuestionScheduleFormProps) {
  const [draft, setDraft] = useState(() => (schedule ? draftOf(schedule) : emptyDraft(from)));
  const change = (next: Partial<LaunchDraft>) => setDraft((last) => ({ ...last, ...next }));
  const check = useLaunchCheck(draft);
  return (
    <ScheduleForm
      schedule={schedule}
      title="New schedule"
      request={requestOf(draft)}
      notes={<CheckNotes check={check} />}
      onClose={onClose}
    >
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
    </ScheduleForm>
  );
}
