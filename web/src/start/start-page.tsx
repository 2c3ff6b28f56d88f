/** Starts a run of browser tasks on the server's machine. Ends on the page of the run, which shows it live. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { call } from '../api/client.ts';
import { useAnnounce } from '../shell/announcer.tsx';
import { Page } from '../shell/page.tsx';
import { Button, ButtonLink } from '../ui/button.tsx';
import { Failure } from '../ui/problem.tsx';
import { QueryState } from '../ui/states.tsx';
import { NotAllowed } from './not-allowed.tsx';
import { PreviewPanel } from './preview-panel.tsx';
import { EMPTY_DRAFT, requestOf, type StartDraft } from './start-draft.ts';
import { StartFields } from './start-fields.tsx';
import { type StartChoices, type StartRequest, startChoicesQuery, useStartCheck } from './start-queries.ts';

export default function StartPage() {
  const query = useQuery(startChoicesQuery());
  return (
    <Page
      title="Run browser tasks"
      about="An agent works on the tasks of a suite in real browsers on the server’s machine. You watch it while it goes on."
      trail={<Link to="/runs">All runs</Link>}
    >
      <QueryState query={query} what="the suites">
        {(choices) => (choices.allowed ? <StartForm choices={choices} /> : <NotAllowed />)}
      </QueryState>
    </Page>
  );
}

function StartForm({ choices }: { choices: StartChoices }) {
  const [draft, setDraft] = useState(EMPTY_DRAFT);
  const change = (next: Partial<StartDraft>) => setDraft((last) => ({ ...last, ...next }));
  const request = requestOf(draft);
  const check = useStartCheck(request);
  const start = useStart();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (request && !start.isPending) start.mutate(request);
  };
  return (
    <form className="start-form" onSubmit={submit}>
      <StartFields {...{ draft, change, choices }} />
      <section className="panel" aria-labelledby="start-start">
        <h2 id="start-start">Preview</h2>
        <PreviewPanel check={check} />
        {start.error && <Failure error={start.error} />}
        <div className="actions">
          <Button type="submit" kind="primary" busy={start.isPending} disabled={!request}>
            {start.isPending ? 'Starting …' : 'Start the run'}
          </Button>
          <ButtonLink
            to="/schedules"
            search={{ edit: 'new-tasks', suite: draft.suite || undefined, variant: draft.variant || undefined }}
          >
            Run on a schedule
          </ButtonLink>
        </div>
      </section>
    </form>
  );
}

function useStart() {
  const client = useQueryClient();
  const announce = useAnnounce();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: (request: StartRequest) => call('post', '/run-folders', { json: request }),
    onSuccess: async ({ id }) => {
      announce('The run has begun.');
      void client.invalidateQueries({ queryKey: ['folders', 'list'] });
      await navigate({ to: '/folders/$id', params: { id } });
    },
  });
}
