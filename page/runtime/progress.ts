/**
 * Keeps the results of a run in the page's own storage, so that a reload of the page loses at most the item at hand. IndexedDB, because it has room for a
 * whole capture, takes one result at a time, and does not use up the few megabytes of local storage that the site itself needs. Only the site
 * can read it, and the site has given these answers. The token and the prompts are not kept: they come with the pack again.
 */
import type { Flag, ItemResult, RuntimePack } from '../../src/capture/formats.ts';

const DATABASE = 'eval752_browser_harness';
const STORE = 'results';
/** A storage that does not answer must not hold up the run. */
const ANSWER_MS = 5_000;

export interface Kept {
  readonly result: ItemResult;
  readonly flag: Flag | undefined;
}

/** What is left of an earlier run of the same pack. */
export interface Earlier {
  readonly startedAt: string;
  readonly results: readonly Kept[];
}

interface Row {
  readonly pack: string;
  readonly session: string;
  readonly item: string;
  readonly expires: string;
  readonly result: Omit<ItemResult, 'dataset_item_id' | 'prompt_text'>;
  readonly flag: Flag | undefined;
}

export class Progress {
  readonly #pack: RuntimePack;
  #database: IDBDatabase | undefined;

  constructor(pack: RuntimePack) {
    this.#pack = pack;
  }

  /** Opens the storage and removes what belongs to packs that have expired, because it can't be imported any more. */
  async open(): Promise<Earlier | undefined> {
    const opening = indexedDB.open(DATABASE, 1);
    opening.onupgradeneeded = () => {
      opening.result.createObjectStore(STORE, { keyPath: ['pack', 'session', 'item'] });
    };
    const database = await answerOf(opening);
    // A site that clears its storage is not kept waiting.
    database.onversionchange = () => database.close();
    this.#database = database;
    const rows = await answerOf<Row[]>(database.transaction(STORE).objectStore(STORE).getAll());
    const expired = rows.filter(({ expires }) => !(Date.now() < Date.parse(expires)));
    for (const { pack, session, item } of expired) await this.#write((store) => store.delete([pack, session, item]));
    return earlierOf(this.#pack, rows);
  }

  async keep(startedAt: string, { result, flag }: Kept): Promise<void> {
    const { dataset_item_id: item, prompt_text: _, ...rest } = result;
    const { pack_id: pack, expires_at: expires } = this.#pack;
    const row: Row = { pack, session: startedAt, item, expires, result: rest, flag };
    await this.#write((store) => store.put(row));
  }

  async forget(startedAt: string): Promise<void> {
    const { pack_id } = this.#pack;
    // A list is greater than every text, so this covers all items of the session.
    const session = IDBKeyRange.bound([pack_id, startedAt], [pack_id, startedAt, []]);
    await this.#write((store) => store.delete(session));
  }

  /** Resolves when it is stored for good. Without an open storage it does nothing: the user has been told. */
  async #write(change: (store: IDBObjectStore) => void): Promise<void> {
    const transaction = this.#database?.transaction(STORE, 'readwrite');
    if (!transaction) return;
    change(transaction.objectStore(STORE));
    await inTime<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error);
    });
  }
}

/** The newest session of the pack, in the pack's order. */
function earlierOf(pack: RuntimePack, rows: readonly Row[]): Earlier | undefined {
  const own = rows.filter((row) => row.pack === pack.pack_id);
  const startedAt = own
    .map(({ session }) => session)
    .sort()
    .at(-1);
  if (startedAt === undefined) return undefined;
  const byItem = new Map(own.filter(({ session }) => session === startedAt).map((row) => [row.item, row]));
  const results = pack.items.flatMap(({ id, prompt_text }) => {
    const row = byItem.get(id);
    return row ? [{ result: { dataset_item_id: id, prompt_text, ...row.result }, flag: row.flag }] : [];
  });
  return results.length > 0 ? { startedAt, results } : undefined;
}

function answerOf<T>(request: IDBRequest<T>): Promise<T> {
  return inTime((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

function inTime<T>(listen: (resolve: (value: T) => void, reject: (reason: unknown) => void) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error('it does not answer')), ANSWER_MS);
    listen(resolve, reject);
  });
}
