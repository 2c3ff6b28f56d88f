import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { call } from '../api/client.ts';
import { ScoringBadge, StatusBadge } from '../runs/run-badges.tsx';
import { useAnnounce } from '../shell/announcer.tsx';
import { Button, ButtonLink } from '../ui/button.tsx';
import { ConfirmButton } from '../ui/confirm.tsx';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { dateTime } from '../ui/format.ts';
import type { FileColumn } from '../ui/list-file.ts';
import { SaveButtons } from '../ui/list-foot.tsx';
import { byNumber, byText, byTime } from '../ui/list-order.ts';
import { LocalList } from '../ui/local-list.tsx';
import { Failure } from '../ui/problem.tsx';
import type { Schedule } from './launch-draft.ts';
import { inputOf } from './schedule-queries.ts';
import { exactly, inWords } from './when.ts';

const columns: readonly Column<Schedule>[] = [
  {
    name: 'Schedule',
    isHeader: true,
    cell: ({ name, dataset, provider, model }) => (
      <>
        {name}
        <div className="muted">
          {dataset.name}, {model} of {provider.name}
        </div>
      </>
    ),
  },
  {
    name: 'When',
    cell: ({ cron, timezone }) => (
      <>
        <code>{cron}</code>
        <div className="muted">{timezone}</div>
      </>
    ),
  },
  { name: 'Next run', cell: (schedule) => <NextRun schedule={schedule} /> },
  { name: 'Last run', cell: (schedule) => <LastRun schedule={schedule} /> },
  { name: 'Actions', quiet: true, cell: (schedule) => <Actions schedule={schedule} /> },
];

const textsOf = ({ name, dataset, provider, model, cron }: Schedule) => [
  name,
  dataset.name,
  provider.name,
  model,
  cron,
];

const SORTS = [
  { value: 'name', name: 'By name', compare: byText(({ name }: Schedule) => name) },
  {
    value: 'next',
    name: 'Next run first',
    compare: byNumber(({ next_run_at }: Schedule) => (next_run_at === null ? null : -Date.parse(next_run_at))),
  },
  {
    value: 'last',
    name: 'Last run first',
    compare: byTime(({ last_run }: Schedule) => last_run?.created_at ?? null),
  },
] as const;

const FILE: readonly FileColumn<Schedule>[] = [
  { name: 'id', value: ({ id }) => id },
  { name: 'name', value: ({ name }) => name },
  { name: 'dataset', value: ({ dataset }) => dataset.name },
  { name: 'provider', value: ({ provider }) => provider.name },
  { name: 'model', value: ({ model }) => model },
  { name: 'cron', value: ({ cron }) => cron },
  { name: 'timezone', value: ({ timezone }) => timezone },
  { name: 'enabled', value: ({ enabled }) => enabled },
  { name: 'next_run_at', value: ({ next_run_at }) => next_run_at },
  { name: 'last_run_id', value: ({ last_run }) => last_run?.id ?? null },
  { name: 'last_problem', value: ({ last_problem }) => last_problem },
];

export function ScheduleTable({ schedules }: { schedules: readonly Schedule[] }) {
  return (
    <LocalList
      one="schedule"
      rows={schedules}
      textsOf={textsOf}
      sorts={SORTS}
      files={(found) => <SaveButtons name="schedules" columns={FILE} rows={found} />}
    >
      {(shown) => <DataTable caption="Schedules" columns={columns} rows={shown} rowKey={({ id }) => id} />}
    </LocalList>
  );
}

function NextRun({ schedule: { next_run_at, timezone } }: { schedule: Schedule }) {
  if (next_run_at === null) return <span className="muted">disabled</span>;
  return (
    <>
      {inWords(next_run_at, Date.now())}
      <div className="muted">
        <time dateTime={next_run_at}>{exactly(next_run_at, timezone)}</time>
      </div>
    </>
  );
}

function LastRun({ schedule: { last_run, last_problem } }: { schedule: Schedule }) {
  return (
    <>
      {last_run === null ? (
        <span className="muted">none yet</span>
      ) : (
        <>
          <Link to="/runs/$id" params={{ id: last_run.id }}>
            {dateTime(last_run.created_at)}
          </Link>{' '}
          <StatusBadge status={last_run.status} />{' '}
          {last_run.status === 'completed' && <ScoringBadge status={last_run.scoring_status} />}
        </>
      )}
      {last_problem !== null && <p className="schedule-problem">{last_problem}</p>}
    </>
  );
}

function Actions({ schedule }: { schedule: Schedule }) {
  const { id, name, enabled } = schedule;
  const client = useQueryClient();
  const announce = useAnnounce();
  const changed = async (said: string) => {
    announce(said);
    await client.invalidateQueries({ queryKey: ['schedules'] });
  };
  const toggle = useMutation({
    mutationFn: () =>
      call('put', '/schedules/{id}', { params: { id }, json: inputOf(schedule, { enabled: !enabled }) }),
    onSuccess: () => changed(`${name} is ${enabled ? 'disabled' : 'enabled'}.`),
  });
  const runNow = useMutation({
    mutationFn: () => call('post', '/schedules/{id}/run-now', { params: { id } }),
    onSuccess: () => changed(`A run of ${name} is queued.`),
  });
  const error = toggle.error ?? runNow.error;
  return (
    <>
      <div className="actions">
        <Button small busy={runNow.isPending} aria-label={`Run now: ${name}`} onClick={() => runNow.mutate()}>
          Run now
        </Button>
        <Button
          small
          busy={toggle.isPending}
          aria-label={`${enabled ? 'Disable' : 'Enable'} ${name}`}
          onClick={() => toggle.mutate()}
        >
          {enabled ? 'Disable' : 'Enable'}
        </Button>
        <ButtonLink small to="/schedules" search={{ edit: id }} aria-label={`Edit ${name}`}>
          Edit
        </ButtonLink>
        <ConfirmButton
          small
          action="Delete"
          of={name}
          title={`Delete ${name}?`}
          onConfirm={async () => {
            await call('delete', '/schedules/{id}', { params: { id } });
            await changed(`${name} is deleted.`);
          }}
        >
          <p>It will launch no further runs. Its runs are kept.</p>
        </ConfirmButton>
      </div>
      {error && <Failure error={error} />}
    </>
  );
}
