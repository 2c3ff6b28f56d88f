/** The folder store for a process of its own. */
import { FolderRunStore, type RunStore } from '../../src/runs/index.ts';

export async function openStore({ root }: { root: string }): Promise<RunStore> {
  return new FolderRunStore(root);
}
