/** Deletes a run that has ended. The server refuses one that is still in progress. */
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { call } from '../api/client.ts';
import type { RunDetail } from '../api/queries.ts';
import { useAnnounce } from '../shell/announcer.tsx';
import { ConfirmButton } from '../ui/confirm.tsx';
import { count } from '../ui/format.ts';
import { runName } from './run-name.ts';

export function DeleteRunButton({ run }: { run: RunDetail }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const announce = useAnnounce();
  if (run.status === 'queued' || run.status === 'running') return null;
  const name = runName(run);
  return (
    <ConfirmButton
      action="Delete"
      title={`Delete ${name}?`}
      onConfirm={async () => {
        await call('delete', '/runs/{id}', { params: { id: run.id } });
        announce(`${name} is deleted.`);
        await navigate({ to: '/runs' });
        for (const kind of ['one', 'items', 'grades', 'gradings'])
          client.removeQueries({ queryKey: ['runs', kind, run.id] });
        await client.invalidateQueries({ queryKey: ['runs'] });
      }}
    >
      <p>
        {count(run.item_count, 'item')} with answers, scores, log and files will be deleted. This cannot be undone. The
        dataset stays.
        {run.import_id !== null && ' The capture can be imported again.'}
      </p>
    </ConfirmButton>
  );
}
