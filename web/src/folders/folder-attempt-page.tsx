/** One attempt of a run in a folder, as far as it has come. */
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Page } from '../shell/page.tsx';
import { QueryState } from '../ui/states.tsx';
import { AttemptViewer } from '../viewer/attempt-viewer.tsx';
import { FolderLinks } from './folder-links.tsx';
import { folderAttemptQuery } from './folder-queries.ts';
import { QuarantineButton } from './quarantine-button.tsx';
import { type LiveFolder, useLiveFolder } from './use-live-folder.ts';

export default function FolderAttemptPage() {
  const { id, attempt } = useParams({ from: '/folders/$id/$attempt' });
  return <FolderAttempt key={`${id} ${attempt}`} id={id} attempt={attempt} />;
}

/** Keeps the page up to date, and shows nothing itself. */
function Live(of: LiveFolder) {
  useLiveFolder(of);
  return null;
}

function FolderAttempt({ id, attempt }: { id: string; attempt: string }) {
  const query = useQuery(folderAttemptQuery(id, attempt));
  const { step } = useSearch({ from: '/folders/$id/$attempt' });
  const navigate = useNavigate({ from: '/folders/$id/$attempt' });
  return (
    <Page
      title={query.data?.attempt.name ?? 'Attempt'}
      actions={query.data && <QuarantineButton id={id} caseId={query.data.caseId} />}
      trail={
        <Link to="/folders/$id" params={{ id }}>
          The run
        </Link>
      }
    >
      <QueryState query={query} what="the attempt">
        {({ attempt: view, version }) => (
          <FolderLinks id={id}>
            {/* Of a run at rest nothing is told: following it would have the server read all of its journals. */}
            {version > 0 && <Live id={id} attempt={attempt} after={version} />}
            <AttemptViewer
              id={attempt}
              attempt={view}
              selected={step}
              onSelect={(seq) => void navigate({ search: { step: seq }, replace: true, resetScroll: false })}
            />
          </FolderLinks>
        )}
      </QueryState>
    </Page>
  );
}
