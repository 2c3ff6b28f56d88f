/** Links of the viewer inside of the web app. */
import { useRouter } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import { urlOf } from '../../../src/server/client.ts';
import { LinksProvider, type ViewerLinks } from '../viewer/viewer-links.tsx';

export function FolderLinks({ id, children }: { id: string; children: ReactNode }) {
  const router = useRouter();
  const links = useMemo((): ViewerLinks => {
    const run = `/app/folders/${encodeURIComponent(id)}`;
    return {
      run,
      attempt: (attempt, seq) => `${run}/${attempt}${seq === undefined ? '' : `?step=${seq}`}`,
      picture: (attempt, _folder, file) =>
        urlOf('/run-folders/{id}/attempts/{attempt}/screenshots/{file}', {
          id,
          attempt,
          file: file.replace(/^screenshots\//, ''),
        }),
      file: () => undefined,
      follow: (href) => router.history.push(href),
    };
  }, [id, router]);
  return <LinksProvider value={links}>{children}</LinksProvider>;
}
