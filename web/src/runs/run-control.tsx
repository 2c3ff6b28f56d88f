/** Ends a launched run that is under way, or takes up one that ended too early. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../api/client.ts';
import type { Run } from '../api/queries.ts';
import { useAnnounce } from '../shell/announcer.tsx';
import { Button } from '../ui/button.tsx';
import { ConfirmButton } from '../ui/confirm.tsx';
import { count } from '../ui/format.ts';
import { Failure } from '../ui/problem.tsx';

export function RunControl({ run: { id, status, counts, provider } }: { run: Run }) {
  const client = useQueryClient();
  const announce = useAnnounce();
  const changed = async (said: string) => {
    announce(said);
    await client.invalidateQueries({ queryKey: ['runs'] });
  };
  const resume = useMutation({
    mutationFn: () => call('post', '/runs/{id}/resume', { params: { id } }),
    onSuccess: ({ items }) => changed(`The run continues with ${count(items, 'item')}.`),
  });
  if (provider.surface !== 'api') return null;
  if (status === 'queued' || status === 'running') {
    return (
      <ConfirmButton
        action="Cancel the run"
        keep="Let it run"
        title="Cancel this run?"
        onConfirm={async () => {
          await call('post', '/runs/{id}/cancel', { params: { id } });
          await changed('The run was cancelled.');
        }}
      >
        <p>The answers so far are kept. You can resume the run later.</p>
      </ConfirmButton>
    );
  }
  const unanswered = (counts['errored'] ?? 0) + (counts['missing'] ?? 0);
  if (status === 'completed' && unanswered === 0) return null;
  return (
    <>
      <Button busy={resume.isPending} onClick={() => resume.mutate()}>
        {status === 'completed' ? `Ask ${count(unanswered, 'unanswered item')} again` : 'Resume'}
      </Button>
      {resume.error && <Failure error={resume.error} />}
    </>
  );
}
