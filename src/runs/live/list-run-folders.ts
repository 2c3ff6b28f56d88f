/** One line per run folder. */
import type { IndexedFolder } from './folder-index.ts';
import type { RunFolders } from './run-folders.ts';

export interface ListedFolder
  extends Pick<
    IndexedFolder,
    'id' | 'suite' | 'variant' | 'experiment' | 'startedAt' | 'endedAt' | 'state' | 'planned'
  > {
  /** Null while there is no report. */
  passed: number | null;
  kind: 'tasks' | 'questions';
}

export function listRunFolders(folders: RunFolders, limit: number): ListedFolder[] {
  return folders.index
    .entries()
    .slice(0, limit)
    .map(({ root: _root, suiteHash: _hash, kind, counts, ...listed }) => ({
      ...listed,
      passed: counts?.passed ?? null,
      kind: kind === 'agent' ? 'tasks' : 'questions',
    }));
}
