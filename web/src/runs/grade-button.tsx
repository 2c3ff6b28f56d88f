/** Grades a run by a further grader. The verdicts that decide stay as they are. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Request } from '../../../src/server/client.ts';
import { call } from '../api/client.ts';
import { gradingsQuery, providersQuery, type RunDetail } from '../api/queries.ts';
import { useAnnounce } from '../shell/announcer.tsx';
import { Button, ButtonLink } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { SelectField, TextArea, TextField } from '../ui/field.tsx';
import { providerOptions } from '../ui/judge-choice.tsx';
import { Failure } from '../ui/problem.tsx';

export function GradeButton({ run }: { run: RunDetail }) {
  const [open, setOpen] = useState(false);
  const last = useQuery(gradingsQuery(run.id)).data?.gradings.at(-1);
  const isBusy = last?.status === 'queued' || last?.status === 'running';
  if (run.status === 'queued' || run.status === 'running') return null;
  return (
    <>
      <Button disabled={isBusy} onClick={() => setOpen(true)}>
        {isBusy ? 'Grading …' : 'Grade further'}
      </Button>
      {open && <GradeDialog run={run} onClose={() => setOpen(false)} />}
    </>
  );
}

const EMPTY = { grader: 'rubric', criteria: '', providerId: '', model: '', only: '', calls: '', dollars: '' };
type Draft = typeof EMPTY;
type GradeRequest = Request<'post', '/runs/{id}/grades'>['json'];

const GRADERS = [
  { value: 'rubric', name: 'rubric: a model scores criteria' },
  { value: 'answer', name: 'answer: the checkers, by the rules of this version' },
];
const ONLY = [
  { value: '', name: 'All answers' },
  { value: 'failed', name: 'Only what failed' },
  { value: 'passed', name: 'Only what passed' },
  { value: 'ungraded', name: 'Only what this grader has no verdict for' },
];

function GradeDialog({ run, onClose }: { run: RunDetail; onClose: () => void }) {
  const client = useQueryClient();
  const announce = useAnnounce();
  const providers = useQuery(providersQuery()).data?.providers;
  const [draft, setDraft] = useState(EMPTY);
  const change = (part: Partial<Draft>) => setDraft((old) => ({ ...old, ...part }));
  const grade = useMutation({
    mutationFn: () => call('post', '/runs/{id}/grades', { params: { id: run.id }, json: requestOf(draft) }),
    onSuccess: async () => {
      announce('Grading is queued.');
      await client.invalidateQueries({ queryKey: ['runs'] });
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    grade.mutate();
  };
  const asksModel = draft.grader === 'rubric';
  return (
    <Dialog title="Grade this run by a further grader" onClose={onClose}>
      <form className="form" onSubmit={submit}>
        <p className="muted">
          Its grades stand beside the scores. Accuracy, comparisons and what counts stay as they are.
        </p>
        <SelectField label="Grader" value={draft.grader} options={GRADERS} onChange={(grader) => change({ grader })} />
        <SelectField label="Which answers" value={draft.only} options={ONLY} onChange={(only) => change({ only })} />
        {asksModel && (
          <>
            <TextArea
              label="Criteria, one a line (optional)"
              value={draft.criteria}
              hint="Without any, the judge writes criteria for each item, and they are kept with the grade."
              onChange={(criteria) => change({ criteria })}
            />
            <div className="form-row">
              <SelectField
                label="Judge"
                required
                value={draft.providerId}
                options={providerOptions(providers ?? [])}
                hint={providers?.length === 0 ? 'There is no API provider yet: only those can judge.' : undefined}
                onChange={(providerId) => change({ providerId })}
              />
              <TextField
                label="Model of the judge"
                required
                autoComplete="off"
                spellCheck={false}
                value={draft.model}
                onChange={(model) => change({ model })}
              />
            </div>
            <div className="form-row">
              <TextField
                label="Calls at most (optional)"
                type="number"
                min={1}
                step={1}
                value={draft.calls}
                onChange={(calls) => change({ calls })}
              />
              <TextField
                label="US dollars at most (optional)"
                type="number"
                min={0.01}
                step="any"
                value={draft.dollars}
                onChange={(dollars) => change({ dollars })}
              />
            </div>
          </>
        )}
        {grade.error && <Failure error={grade.error} />}
        <div className="dialog-actions">
          {asksModel && providers?.length === 0 && <ButtonLink to="/providers">Add a provider</ButtonLink>}
          <Button onClick={onClose}>Close</Button>
          <Button type="submit" kind="primary" busy={grade.isPending}>
            Grade
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** All criteria are about the outcome, weigh the same and are needed: the API takes finer ones. */
function requestOf({ grader, criteria, providerId, model, only, calls, dollars }: Draft): GradeRequest {
  const wanted = ONLY.some(({ value }) => value === only) && only !== '' ? { only: only as 'failed' } : {};
  if (grader === 'answer') return { graders: [{ grader: 'answer' }], ...wanted };
  const lines = criteria.split('\n').flatMap((line) => line.trim() || []);
  const given = lines.map((description, index) => ({
    id: `criterion-${index + 1}`,
    description,
    about: 'outcome' as const,
    weight: 1,
    required: true,
  }));
  return {
    graders: [{ grader: 'rubric', ...(given.length > 0 ? { criteria: given } : {}) }],
    judge: { provider_id: providerId, model: model.trim() },
    ...wanted,
    ...(calls === '' ? {} : { max_calls: Number(calls) }),
    ...(dollars === '' ? {} : { max_cost_usd: Number(dollars) }),
  };
}
