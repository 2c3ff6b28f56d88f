/** Runs on a schedule: the list, and the one that is being made or changed (`?edit=new`, `?edit=<id>`). */
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Page } from '../shell/page.tsx';
import { ButtonLink } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { Empty, QueryState } from '../ui/states.tsx';
import type { Schedule } from './launch-draft.ts';
import { ScheduleForm } from './schedule-form.tsx';
import { schedulesQuery } from './schedule-queries.ts';
import { ScheduleTable } from './schedule-table.tsx';
import './launch.css';

export default function SchedulesPage() {
  const query = useQuery(schedulesQuery());
  const { edit } = useSearch({ strict: false }) as { edit?: unknown };
  return (
    <Page
      title="Schedules"
      about="Launch a dataset at fixed times, always in its current version. While the last run of a schedule is still in progress, the next time is skipped."
      actions={
        edit !== 'new' && (
          <ButtonLink to="/schedules" search={{ edit: 'new' }} kind="primary">
            New schedule
          </ButtonLink>
        )
      }
    >
      <QueryState query={query} what="the schedules">
        {({ schedules }) => (
          <>
            {typeof edit === 'string' && <Editor key={edit} edit={edit} schedules={schedules} />}
            {schedules.length === 0 ? (
              edit !== 'new' && (
                <Empty title="There are no schedules yet.">
                  <p>
                    A schedule launches a dataset on a model at fixed times, for example every night, so that you can
                    compare the runs.
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
  if (edit !== 'new' && !schedule) return <Notice tone="warning">This schedule no longer exists.</Notice>;
  const { dataset, provider } = search;
  const from = {
    ...(typeof dataset === 'string' ? { datasetId: dataset } : {}),
    ...(typeof provider === 'string' ? { providerId: provider } : {}),
  };
  return <ScheduleForm schedule={schedule} from={from} onClose={close} />;
}
