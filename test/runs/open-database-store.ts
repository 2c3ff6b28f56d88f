/** The database store for a process of its own. */
import { DatabaseRunStore, type RunStore } from '../../src/runs/index.ts';
import { openArtifacts, openStore as openDatabase, type StoreOptions } from '../../src/store/index.ts';

export async function openStore(options: { store: StoreOptions; artifacts: string }): Promise<RunStore> {
  const store = await openDatabase(options.store);
  return new DatabaseRunStore({ store, artifacts: await openArtifacts(options.artifacts) });
}
