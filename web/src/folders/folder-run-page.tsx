/** A run in a folder: as it is, and live while a process writes it. */
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { call } from '../api/client.ts';
import { useAnnounce } from '../shell/announcer.tsx';
import { Page } from '../shell/page.tsx';
import { Badge } from '../ui/badge.tsx';
import { ConfirmButton } from '../ui/confirm.tsx';
import { QueryState } from '../ui/states.tsx';
import { RunViewer } from '../viewer/run-viewer.tsx';
import { FolderLinks } from './folder-links.tsx';
import { folderRunQuery } from './folder-queries.ts';
import { LiveAttempts } from './live-attempts.tsx';
import { useLiveFolder } from './use-live-folder.ts';

export default function FolderRunPage() {
  const { id } = useParams({ from: '/folders/$id' });
  return <FolderRun key={id} id={id} />;
}

function FolderRun({ id }: { id: string }) {
  const query = useQuery(folderRunQuery(id));
  const isRunning = query.data?.isRunning === true;
  return (
    <Page
      title={`Run ${id}`}
      trail={<Link to="/runs">All runs</Link>}
      about={query.data && <LiveState id={id} after={query.data.version} isRunning={isRunning} />}
      actions={isRunning && <StopButton id={id} />}
    >
      <QueryState query={query} what="the run">
        {({ run }) => (
          <FolderLinks id={id}>
            <div className="v-run">
              <LiveAttempts rows={run.attempts} />
              <RunViewer run={run} />
            </div>
          </FolderLinks>
        )}
      </QueryState>
    </Page>
  );
}

function LiveState({ id, after, isRunning }: { id: string; after: number; isRunning: boolean }) {
  const link = useLiveFolder({ id, after });
  return isRunning && <Badge tone="live">{link === 'live' ? 'running, live' : 'running'}</Badge>;
}

function StopButton({ id }: { id: string }) {
  const announce = useAnnounce();
  return (
    <ConfirmButton
      action="Stop the run"
      keep="Let it run"
      title="Stop this run?"
      onConfirm={async () => {
        await call('post', '/run-folders/{id}/stop', { params: { id } });
        announce('The run was asked to stop.');
      }}
    >
      <p>Attempts that go on are ended and kept. The command that began the run resumes it.</p>
    </ConfirmButton>
  );
}
