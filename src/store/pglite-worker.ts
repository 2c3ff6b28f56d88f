/** The thread that holds the embedded database: see pglite-client.ts. */
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite, types } from '@electric-sql/pglite';
import { pgliteParsers } from './int8.ts';
import type { PgliteRequest, PgliteRows, PgliteWork } from './pglite-client.ts';
import { compiledOnce } from './wasm-flags.ts';

/** Before the first statement of its own, one that only the parser sees. */
class SmallPglite extends PGlite {
  override async _initArrayTypes(options?: { force?: boolean }): Promise<void> {
    await compiledOnce(() => this.exec('(').catch(() => undefined));
    await super._initArrayTypes(options);
  }
}

const database = new SmallPglite({ dataDir: workerData as string, parsers: pgliteParsers });
await database.waitReady;
/** A text may come as its bytes: PGlite sends them as they are, which its type of a serializer does not say. */
const asString = database.serializers[types.TEXT] ?? String;
const serializers = {
  [types.TEXT]: (value: unknown) => (value instanceof Uint8Array ? (value as unknown as string) : asString(value)),
};
/** Parsed by who asked: a text is sent to another thread at less cost than what is in it. */
const JSON_TYPES: readonly number[] = [types.JSON, types.JSONB];
let last: Promise<unknown> = Promise.resolve();
parentPort?.on('message', ({ id, ...work }: PgliteRequest) => {
  last = last.then(async () => {
    try {
      parentPort?.postMessage({ id, result: await answerTo(work) });
    } catch (error) {
      if (work.kind === 'exec' && work.isAlone) await database.exec('ROLLBACK');
      parentPort?.postMessage({ id, error: fieldsOf(error) });
    }
    if (work.kind === 'close') parentPort?.close();
  });
});
parentPort?.postMessage({ id: 0 });

async function answerTo(work: PgliteWork): Promise<unknown> {
  switch (work.kind) {
    case 'query': {
      const parsers = Object.fromEntries([...work.asText, ...JSON_TYPES].map((type) => [type, (text: string) => text]));
      const { rowMode } = work;
      const { rows, fields } = await database.query(work.text, work.params, { rowMode, parsers, serializers });
      const isJson = ({ dataTypeID: type }: { dataTypeID: number }) =>
        JSON_TYPES.includes(type) && !work.asText.includes(type);
      const json = fields.flatMap((field, index) => (isJson(field) ? [rowMode === 'array' ? index : field.name] : []));
      return { rows, json } satisfies PgliteRows;
    }
    case 'copy':
      return await copy(work);
    case 'exec':
      return (await database.exec(work.text)).map(({ rows }) => ({ rows }));
    case 'listen':
      await database.listen(work.channel, (payload) => parentPort?.postMessage({ channel: work.channel, payload }));
      return undefined;
    case 'unlisten':
      return await database.unlisten(work.channel);
    case 'close':
      return await database.close();
  }
}

/** In memory; PGlite's own file for this copies its bytes one by one. */
const COPIED_FILE = '/tmp/copied';

async function copy({ text, bytes }: PgliteWork & { kind: 'copy' }): Promise<PgliteRows> {
  const { FS } = database.Module;
  FS.writeFile(COPIED_FILE, bytes, { canOwn: true });
  try {
    await database.query(text.replace('$1', `'${COPIED_FILE}'`));
    return { rows: [], json: [] };
  } finally {
    FS.unlink(COPIED_FILE);
  }
}

/** A copy of an error has its text and its stack only. */
function fieldsOf(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error) };
  const { message, stack } = error;
  const fields = ['severity', 'code', 'detail', 'hint', 'schema', 'table', 'column', 'constraint', 'routine'] as const;
  return {
    message,
    stack,
    ...Object.fromEntries(fields.flatMap((name) => (name in error ? [[name, Reflect.get(error, name)]] : []))),
  };
}
