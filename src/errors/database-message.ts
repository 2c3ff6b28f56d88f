/**
 * What may be said of an error of the database. The texts of the drivers hold the statement and its values, which are answers of people and
 * models: megabytes of them once went to a log. So only the SQLSTATE and names of the schema are told.
 */

/** By the first two characters of the SQLSTATE. */
const CLASSES: Readonly<Record<string, string>> = {
  '08': 'The connection to the database was lost',
  '22': 'The database refused a value',
  '23': 'The database refused a row that breaks a rule',
  '40': 'The database undid a transaction that met another one',
  '53': 'The database has no room, memory or connection left',
  '54': 'The database refused a value that is too large',
  '55': 'Something in the database is locked by another session',
  '57': 'The database stopped the statement',
  '58': 'The database could not use its disk',
};

const NAMES = ['table', 'column', 'constraint'] as const;

/** @returns undefined where the error itself, whatever caused it, is none of a database. */
export function databaseMessage(thrown: unknown): string | undefined {
  if (!hasStatement(thrown) && sqlStateOf(thrown) === undefined) return undefined;
  const causes = causesOf(thrown);
  const reported = causes.find((cause) => sqlStateOf(cause) !== undefined);
  const state = sqlStateOf(reported);
  if (state !== undefined) {
    const names = NAMES.flatMap((name) => {
      const value: unknown = Reflect.get(Object(reported), name);
      return typeof value === 'string' && /^\w{1,63}$/.test(value) ? [`${name} ${value}`] : [];
    });
    const what = CLASSES[state.slice(0, 2)] ?? 'The database reported an error';
    return `${what} (${[`SQLSTATE ${state}`, ...names].join(', ')}).`;
  }
  // The network or the program, and not PostgreSQL: such a text holds no values.
  const first = causes.find((cause) => !hasStatement(cause));
  return first instanceof Error ? `The database did not answer: ${first.message}` : 'The database did not answer.';
}

/** The SQLSTATE of an error of PostgreSQL itself; undefined for every other one. */
export function sqlStateOf(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error) || !('severity' in thrown)) return undefined;
  const code: unknown = Reflect.get(thrown, 'code');
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
}

/** Drizzle and PGlite put the statement and its values on their errors, and drizzle into the text too. */
function hasStatement(thrown: unknown): boolean {
  return thrown instanceof Error && 'query' in thrown && 'params' in thrown;
}

/** An error and what caused it, outermost first. */
export function causesOf(thrown: unknown): unknown[] {
  const causes: unknown[] = [];
  for (let next = thrown; next !== undefined && !causes.includes(next); ) {
    causes.push(next);
    next = next instanceof Error ? next.cause : undefined;
  }
  return causes;
}
