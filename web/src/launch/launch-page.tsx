/** Runs a dataset on a model of an API provider. Ends on the page of the run, which shows it live. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { call } from '../api/client.ts';
import { useAnnounce } from '../shell/announcer.tsx';
import { Page } from '../shell/page.tsx';
import { Button, ButtonLink } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { count } from '../ui/format.ts';
import { Failure } from '../ui/problem.tsx';
import { CheckNotes } from './check-notes.tsx';
import { JudgeFields } from './judge-fields.tsx';
import { emptyDraft, type LaunchDraft, type LaunchRequest, requestOf } from './launch-draft.ts';
import { ModelFields } from './model-fields.tsx';
import { ScopeFields } from './scope-fields.tsx';
import { useLaunchCheck } from './use-launch-check.ts';
import './launch.css';

const textOf = (value: unknown): string => (typeof value === 'string' ? value.slice(0, 200) : '');

export default function LaunchPage() {
  const search = useSearch({ strict: false }) as Record<string, unknown>;
  const [draft, setDraft] = useState(() =>
    emptyDraft({ datasetId: textOf(search['dataset']), providerId: textOf(search['provider']) }),
  );
  const change = (next: Partial<LaunchDraft>) => setDraft((last) => ({ ...last, ...next }));
  const check = useLaunchCheck(draft);
  const launch = useLaunch();
  const request = requestOf(draft);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (request && !launch.isPending) launch.mutate(request);
  };
  return (
    <Page
      title="Run a dataset"
      about="Sends every prompt of a dataset to a model behind an API, and scores the answers."
      trail={<Link to="/runs">All runs</Link>}
    >
      <form className="launch-form" onSubmit={submit}>
        <section className="panel" aria-labelledby="launch-scope">
          <h2 id="launch-scope">Questions</h2>
          <ScopeFields draft={draft} change={change} />
        </section>
        <section className="panel" aria-labelledby="launch-model">
          <h2 id="launch-model">Model under test</h2>
          <ModelFields draft={draft} change={change} />
        </section>
        {check.needsJudge && <JudgeFields draft={draft} change={change} />}
        <section className="panel" aria-labelledby="launch-start">
          <h2 id="launch-start">Start</h2>
          <div className="form">
            <TextField
              label="Label"
              autoComplete="off"
              maxLength={200}
              value={draft.label}
              hint="Optional. Shown in the list of runs."
              onChange={(label) => change({ label })}
            />
          </div>
          <CheckNotes check={check} />
          {launch.error && <Failure error={launch.error} />}
          <div className="actions">
            <Button type="submit" kind="primary" busy={launch.isPending}>
              {launch.isPending ? 'Starting …' : 'Start the run'}
            </Button>
            <ButtonLink
              to="/schedules"
              search={{ edit: 'new', dataset: draft.datasetId || undefined, provider: draft.providerId || undefined }}
            >
              Run on a schedule
            </ButtonLink>
          </div>
        </section>
      </form>
    </Page>
  );
}

function useLaunch() {
  const client = useQueryClient();
  const announce = useAnnounce();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: (request: LaunchRequest) => call('post', '/runs', { json: request }),
    onSuccess: async ({ run_id, items }) => {
      announce(`The run is queued: ${count(items, 'item')}.`);
      void client.invalidateQueries({ queryKey: ['runs'] });
      await navigate({ to: '/runs/$id', params: { id: run_id } });
    },
  });
}
