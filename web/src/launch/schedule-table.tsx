import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { call } from '../api/client.ts';
import { StateBadge } from '../runs/any-run-parts.tsx';
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
import { requestOfSchedule } from './schedule-queries.ts';
import { exactly, inWords } from './when.ts';

/** The cases, and who works on them. */
function whatOf(schedule: Schedule): { on: string; by: string; model: string } {
  if (!('tasks' in schedule)) return { on: schedule.dataset.name, by: schedule.provider.name, model: schedule.model };
  const { suite, variant, agent = 'scripted', server = 'embedded', model = '' } = schedule.tasks;
  return { on: suite, by: variant ?? `${agent} on ${server}`, model };
}

function byWhom(schedule: Schedule): string {
  const { by, model } = whatOf(schedule);
  if (model === '') return by;
  return 'tasks' in schedule ? `${by} with ${model}` : `${model} of ${by}`;
}

const columns: readonly Column<Schedule>[] = [
  {
    name: 'Schedule',
    isHeader: true,
    cell: (schedule) => (
      <>
        {schedule.name}
        <div className="muted">
          {whatOf(schedule).on}, {byWhom(schedule)}
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

const textsOf = (schedule: Schedule) => [schedule.name, ...Object.values(whatOf(schedule)), schedule.cron];

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
  { name: 'kind', value: (schedule) => ('tasks' in schedule ? 'tasks' : 'questions') },
  { name: 'dataset', value: (schedule) => ('tasks' in schedule ? null : whatOf(schedule).on) },
  { name: 'suite', value: (schedule) => ('tasks' in schedule ? whatOf(schedule).on : null) },
  { name: 'provider', value: (schedule) => ('tasks' in schedule ? null : whatOf(schedule).by) },
  { name: 'agent', value: (schedule) => ('tasks' in schedule ? whatOf(schedule).by : null) },
  { name: 'model', value: (schedule) => whatOf(schedule).model },
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

function NextRun({ schedule }: { schedule: Schedule }) {
  const { next_run_at, timezone } = schedule;
  if (next_run_at === null) return <span className="muted">disabled</span>;
  if ('tasks' in schedule && schedule.blocker !== null)
    return (
      <>
        none here
        <p className="schedule-problem">{schedule.blocker}</p>
      </>
    );
  return (
    <>
      {inWords(next_run_at, Date.now())}
      <div className="muted">
        <time dateTime={next_run_at}>{exactly(next_run_at, timezone)}</time>
      </div>
    </>
  );
}

function LastRun({ schedule }: { schedule: Schedule }) {
  const { last_run, last_problem } = schedule;
  // What keeps the next run from starting is said there.
  const isSaid = 'tasks' in schedule && schedule.blocker === last_problem;
  return (
    <>
      {last_run === null ? <span className="muted">none yet</span> : <LastRunLink run={last_run} />}
      {last_problem !== null && !isSaid && <p className="schedule-problem">{last_problem}</p>}
    </>
  );
}

function LastRunLink({ run }: { run: NonNullable<Schedule['last_run']> }) {
  if ('status' in run)
    return (
      <>
        <Link to="/runs/$id" params={{ id: run.id }}>
          {dateTime(run.created_at)}
        </Link>{' '}
        <StatusBadge status={run.status} /> {run.status === 'completed' && <ScoringBadge status={run.scoring_status} />}
      </>
    );
  const { id, state, passed, planned, created_at } = run;
  if (state === null || created_at === null)
    return <span className="muted">{id}, not in the folders of this server</span>;
  return (
    <>
      <Link to="/folders/$id" params={{ id }}>
        {dateTime(created_at)}
      </Link>{' '}
      <StateBadge state={state} />
      {passed !== null && <div className="muted">{`${passed} of ${planned} passed`}</div>}
    </>
  );
}

function Actions({ schedule }: { schedule: Schedule }) {
  const { id, name, cron, timezone, enabled } = schedule;
  const client = useQueryClient();
  const announce = useAnnounce();
  const changed = async (said: string) => {
    announce(said);
    await client.invalidateQueries({ queryKey: ['schedules'] });
  };
  const toggle = useMutation({
    mutationFn: () =>
      call('put', '/schedules/{id}', {
        params: { id },
        json: { ...requestOfSchedule(schedule), name, cron, timezone, enabled: !enabled },
      }),
    onSuccess: () => changed(`${name} is ${enabled ? 'disabled' : 'enabled'}.`),
  });
  const runNow = useMutation({
    mutationFn: () => call('post', '/schedules/{id}/run-now', { params: { id } }),
    onSuccess: ({ status }) => changed(`A run of ${name} ${status === 'queued' ? 'is queued' : 'has begun'}.`),
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
          <p>It will start no further runs. Its runs are kept.</p>
        </ConfirmButton>
      </div>
      {error && <Failure error={error} />}
    </>
  );
}
