/** Runs on a schedule: the list, and the one that is being made or changed (`?edit=new`, `?edit=new-tasks`, `?edit=<id>`). */
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Page } from '../shell/page.tsx';
import { ButtonLink } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { Empty, QueryState } from '../ui/states.tsx';
import type { Schedule } from './launch-draft.ts';
import { QuestionScheduleForm } from './question-schedule-form.tsx';
import { schedulesQuery } from './schedule-queries.ts';
import { ScheduleTable } from './schedule-table.tsx';
import { TaskScheduleForm } from './task-schedule-form.tsx';
import './launch.css';

const NEW_QUESTIONS = 'new';
const NEW_TASKS = 'new-tasks';
const isNew = (edit: unknown): boolean => edit === NEW_QUESTIONS || edit === NEW_TASKS;

export default function SchedulesPage() {
  const query = useQuery(schedulesQuery());
  const { edit } = useSearch({ strict: false }) as { edit?: unknown };
  return (
    <Page
      title="Schedules"
      about="Run a dataset, or browser tasks, at fixed times, always in their current version. While the last run of a schedule is still in progress, the next time is skipped."
      actions={
        !isNew(edit) && (
          <>
            <ButtonLink to="/schedules" search={{ edit: NEW_QUESTIONS }} kind="primary">
              New schedule
            </ButtonLink>
            <ButtonLink to="/schedules" search={{ edit: NEW_TASKS }}>
              Schedule browser tasks
            </ButtonLink>
          </>
        )
      }
    >
      <QueryState query={query} what="the schedules">
        {({ schedules }) => (
          <>
            {typeof edit === 'string' && <Editor key={edit} edit={edit} schedules={schedules} />}
            {schedules.length === 0 ? (
              !isNew(edit) && (
                <Empty title="There are no schedules yet.">
                  <p>
                    A schedule launches a dataset on a model, or starts a run of browser tasks, at fixed times, for
                    example every night, so that you can compare the runs.
                  </p>
                </Empty>
              )
            ) : (
              <section className="panel" aria-label="Schedules">
                <ScheduleTable schedules={schedules} />
              </section>
            )}
          </>
        )}
      </QueryState>
    </Page>
  );
}

function Editor({ edit, schedules }: { edit: string; schedules: readonly Schedule[] }) {
  const search = useSearch({ strict: false }) as Record<string, unknown>;
  const navigate = useNavigate();
  const close = () => void navigate({ to: '/schedules', search: {} });
  const schedule = schedules.find(({ id }) => id === edit);
  if (!isNew(edit) && !schedule) return <Notice tone="warning">This schedule no longer exists.</Notice>;
  const given = (name: string, as: string) => (typeof search[name] === 'string' ? { [as]: search[name] } : {});
  if (edit === NEW_TASKS || (schedule && 'tasks' in schedule))
    return (
      <TaskScheduleForm
        schedule={schedule && 'tasks' in schedule ? schedule : undefined}
        from={{ ...given('suite', 'suite'), ...given('variant', 'variant') }}
        onClose={close}
      />
    );
  return (
    <QuestionScheduleForm
      schedule={schedule}
      from={{ ...given('dataset', 'datasetId'), ...given('provider', 'providerId') }}
      onClose={close}
    />
  );
}
