/** A run in a folder: as it is, and live while a process writes it. */
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import type { RunView } from '../../../src/view/index.ts';
import { Page } from '../shell/page.tsx';
import { Badge } from '../ui/badge.tsx';
import { Notice } from '../ui/notice.tsx';
import { QueryState } from '../ui/states.tsx';
import { RunViewer } from '../viewer/run-viewer.tsx';
import { FeedPanel } from './feed-panel.tsx';
import { FolderActions } from './folder-actions.tsx';
import { FolderLinks } from './folder-links.tsx';
import { folderActionsQuery, folderRunQuery } from './folder-queries.ts';
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
      title={query.data?.run.name ?? `Run ${id}`}
      trail={<Link to="/runs">All runs</Link>}
      about={query.data && <LiveState id={id} after={query.data.version} isRunning={isRunning} />}
      actions={query.data && <FolderActions id={id} isRunning={isRunning} rows={query.data.run.attempts} />}
    >
      <QueryState query={query} what="the run">
        {({ run }) => (
          <FolderLinks id={id}>
            <RunPanels id={id} run={run} isRunning={isRunning} />
          </FolderLinks>
        )}
      </QueryState>
    </Page>
  );
}

/** Who comes while it runs wants to see what happens, and who comes later what came of it. Nothing moves when it ends. */
function RunPanels({ id, run, isRunning }: { id: string; run: RunView; isRunning: boolean }) {
  const [feedFirst] = useState(isRunning);
  return (
    <div className="v-run">
      <ProcessProblem id={id} />
      <LiveAttempts run={id} rows={run.attempts} />
      {feedFirst && <FeedPanel id={id} />}
      <RunViewer run={run} />
      {!feedFirst && <FeedPanel id={id} />}
    </div>
  );
}

function LiveState({ id, after, isRunning }: { id: string; after: number; isRunning: boolean }) {
  const link = useLiveFolder({ id, after });
  return isRunning && <Badge tone="live">{link === 'live' ? 'running, live' : 'running'}</Badge>;
}

/** Where the process of a run that the server started has crashed. */
function ProcessProblem({ id }: { id: string }) {
  const { data } = useQuery(folderActionsQuery(id));
  if (data?.problem == null) return null;
  return (
    <Notice tone="error" title="The process of this run ended before its time.">
      <p>{data.problem}</p>
    </Notice>
  );
}
