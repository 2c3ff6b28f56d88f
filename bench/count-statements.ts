/** Counts the statements that this process sends to PostgreSQL, by what they do: a figure that a busy machine does not change. */
import pg from 'pg';

export interface StatementCounts extends Disposable {
  /** By the first words of the statement. */
  readonly counts: ReadonlyMap<string, number>;
  readonly total: number;
  reset(): void;
}

export function countStatements(): StatementCounts {
  const counts = new Map<string, number>();
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function counted(this: pg.Client, ...args: unknown[]) {
    const [given] = args;
    const text = typeof given === 'string' ? given : String(Object(given).text ?? '');
    const kind = kindOf(text);
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    return Reflect.apply(query, this, args);
  } as typeof query;
  return {
    counts,
    get total() {
      return [...counts.values()].reduce((sum, count) => sum + count, 0);
    },
    reset: () => counts.clear(),
    [Symbol.dispose]: () => {
      pg.Client.prototype.query = query;
    },
  };
}

const KINDS: readonly (readonly [RegExp, string])[] = [
  [/for update skip locked/, 'claim'],
  [/delete from attempt_event/, 'finish'],
  [/insert into attempt_event/, 'events'],
  [/insert into attempt /, 'begin'],
  [/update cell set lease_until/, 'renew'],
  [/"?worker"?/, 'heartbeat'],
];

function kindOf(text: string): string {
  return KINDS.find(([pattern]) => pattern.test(text))?.[1] ?? 'other';
}
