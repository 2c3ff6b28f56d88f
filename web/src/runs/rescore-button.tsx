/** Scores a run once more, as a new attempt; with another judge where one is wanted or needed. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { call } from '../api/client.ts';
import { providersQuery, type RunDetail, type RunItem } from '../api/queries.ts';
import { useAnnounce } from '../shell/announcer.tsx';
import { Button, ButtonLink } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { SelectField, TextArea, TextField } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { Failure } from '../ui/problem.tsx';

interface RescoreProps {
  run: RunDetail;
  items: readonly RunItem[] | undefined;
}

export function RescoreButton({ run, items }: RescoreProps) {
  const [open, setOpen] = useState(false);
  const isBusy = run.scoring_status === 'queued' || run.scoring_status === 'running';
  if (run.status === 'queued' || run.status === 'running') return null;
  return (
    <>
      <Button disabled={isBusy} onClick={() => setOpen(true)}>
        {isBusy ? 'Scoring …' : 'Rescore'}
      </Button>
      {open && <RescoreDialog run={run} items={items} onClose={() => setOpen(false)} />}
    </>
  );
}

const KEEP = '';

function RescoreDialog({ run, items, onClose }: RescoreProps & { onClose: () => void }) {
  const client = useQueryClient();
  const announce = useAnnounce();
  const providers = useQuery(providersQuery()).data?.providers;
  const needsJudge = run.scoring_status === 'blocked';
  const [judge, setJudge] = useState({ provider_id: KEEP, model: '', prompt: '' });
  const judged = items?.filter(({ type }) => type === 'judge').length ?? 0;
  const rescore = useMutation({
    mutationFn: () =>
      call('post', '/runs/{id}/rescore', {
        params: { id: run.id },
        json: judge.provider_id === KEEP ? {} : { judge },
      }),
    onSuccess: async ({ attempt }) => {
      announce(`Scoring is queued, attempt ${attempt}.`);
      await client.invalidateQueries({ queryKey: ['runs'] });
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    rescore.mutate();
  };
  return (
    <Dialog title="Score this run once more" onClose={onClose}>
      <form className="form" onSubmit={submit}>
        <p className="muted">
          A new attempt over all items. Scores that are there stay, and the new ones count.
          {judged > 0 && ` ${judged} of the items are for a judge.`}
        </p>
        {needsJudge && <Notice tone="warning">{run.scoring_reason}</Notice>}
        <SelectField
          label="Judge"
          required={needsJudge}
          value={judge.provider_id}
          options={[
            { value: KEEP, name: needsJudge ? 'Choose a judge' : 'As before' },
            ...(providers ?? []).map(({ id, name }) => ({ value: id, name })),
          ]}
          hint={providers?.length === 0 ? 'There is no API provider yet: only those can judge.' : 'An API provider.'}
          onChange={(provider_id) => setJudge({ ...judge, provider_id })}
        />
        {judge.provider_id !== KEEP && (
          <>
            <TextField
              label="Model of the judge"
              required
              value={judge.model}
              onChange={(model) => setJudge({ ...judge, model })}
            />
            <TextArea
              label="Instructions beside the built-in ones (optional)"
              value={judge.prompt}
              onChange={(prompt) => setJudge({ ...judge, prompt })}
            />
          </>
        )}
        {rescore.error && <Failure error={rescore.error} />}
        <div className="dialog-actions">
          {providers?.length === 0 && <ButtonLink to="/providers">Add a provider</ButtonLink>}
          <Button onClick={onClose}>Close</Button>
          <Button type="submit" kind="primary" busy={rescore.isPending}>
            Score
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
