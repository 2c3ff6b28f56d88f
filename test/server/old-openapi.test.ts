/** The API of version 0.1.0 is still there: nothing was taken away or renamed, and what was added is listed here. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Api, openApi } from '../browser-harness-api/api.ts';
import { type EngineUnderTest, engines } from '../support/engines.ts';

const old: unknown = JSON.parse(readFileSync(new URL('../old-data/openapi.json', import.meta.url), 'utf8'));

let engine: EngineUnderTest;
let api: Api;
beforeAll(async () => {
  engine = await engines[1].prepare();
  api = await openApi(engine);
});
afterAll(async () => {
  await api?.[Symbol.asyncDispose]();
  await engine?.close();
});

type Leaves = Map<string, unknown>;

/** Every value by its path; words for people may change. What is the first of several forms now is looked for where it was alone. */
function leaves(value: unknown, at = '', into: Leaves = new Map()): Leaves {
  if (typeof value === 'object' && value !== null) {
    for (const [name, inner] of Object.entries(value)) {
      const isWords = ['summary', 'description', 'title', 'version'].includes(name) && typeof inner === 'string';
      // In a list of names, the name is what counts and not its place.
      const key = Array.isArray(value) && typeof inner === 'string' ? inner : name;
      const isFirstForm = key === '0' && at.endsWith('/anyOf');
      if (!isWords) leaves(inner, isFirstForm ? at.slice(0, -'/anyOf'.length) : `${at}/${key}`, into);
    }
  } else into.set(at, value);
  return into;
}

/** What version 0.1.0 did not have. */
const ADDED: readonly RegExp[] = [
  // What the calls of a run and of an item used, how often an item was asked, and its outcome class.
  /^\/components\/schemas\/(Run|RunDetail|RunItem)(\/allOf\/\d+)?\/(properties|required)\/usage(\/|$)/,
  /^\/components\/schemas\/RunItem\/(properties|required)\/(attempts|outcome)(\/|$)/,
  // Further graders: their grades, what was asked of them, and the graders of a run side by side.
  /^\/paths\/~?[^ ]*\/runs\/\{id\}\/(grades|gradings)(\/|$)/,
  /^\/components\/schemas\/(Agreement|GraderSummary|Grade|Grading)\//,
  /^\/components\/schemas\/RunDetail(\/allOf\/\d+)?\/properties\/summary\/(properties|required)\/graders(\/|$)/,
  // Tags of runs; lists that are searched and sorted, with their totals; runs that are changed, deleted and exported; the overview.
  /^\/components\/schemas\/Run\/(properties|required)\/tags(\/|$)/,
  /^\/paths\/\/runs\/get\/parameters\/\d+\//,
  /^\/paths\/\/runs\/get\/responses\/200\/.*\/(properties|required)\/total(\/|$)/,
  /^\/paths\/\/runs\/(\{id\}\/(patch|delete|export)|export|tags)\//,
  /^\/paths\/\/overview\//,
  /^\/components\/schemas\/(ExportedRun|Overview|ScoredRun)\//,
  // Schedules of browser tasks: the second form of a schedule. A server may be told to start none, and has only so many at once.
  /^\/paths\/\/schedules(\/[^ ]*)?\/(get|post|put)\/.*\/schema(\/properties\/schedules\/items)?\/anyOf\/1\//,
  /^\/paths\/\/schedules(\/\{id\}(\/run-now)?)?\/(post|put)\/responses\/(403|429|503)\//,
  /^\/components\/schemas\/(TaskSchedule|StartedRun)\//,
  // Workers on other machines.
  /^\/paths\/\/workers\//,
  /^\/components\/schemas\/Worker\//,
  // Runs of all kinds in one list, compared, and by experiment.
  /^\/paths\/\/(all-runs|experiments)(\/|$)/,
  /^\/components\/schemas\/AnyRun\//,
  // A capture that is a part of an earlier one; keys of launches, and the form of keys.
  /^\/components\/schemas\/Import\/properties\/merged\//,
  /^\/paths\/\/(runs|browser-harness\/imports)\/post\/parameters\//,
  // Ids of operations, what a server with a token asks for, and that any route may be refused with a problem.
  /^\/paths\/.*\/operationId$/,
  /^\/(security|components\/securitySchemes)\//,
  /^\/paths\/.*\/responses\/default\//,
  // The label of a capture is null for other runs: the document did not allow it.
  /^\/components\/schemas\/Run\/properties\/capture_label\/enum\/1$/,
  // A run that workers execute goes on at once; an imported capture can't be resumed.
  /^\/paths\/\/runs\/\{id\}\/resume\/post\/responses\/202\/.*\/status\/enum\/running$/,
  /^\/paths\/\/runs\/\{id\}\/resume\/post\/responses\/422\//,
];

test('the document differs from that of version 0.1.0 by what was added, and by nothing else', async () => {
  const [before, now] = [leaves(old), leaves((await api.call('GET', '/openapi.json')).body)];
  const gone = [...before].filter(([at, value]) => now.get(at) !== value).map(([at]) => at);
  const added = [...now.keys()].filter((at) => !before.has(at));
  expect(gone).toEqual([]);
  expect(added.filter((at) => !ADDED.some((allowed) => allowed.test(at)))).toEqual([]);
  // The list itself is not longer than it has to be.
  for (const allowed of ADDED)
    expect(
      added.some((at) => allowed.test(at)),
      String(allowed),
    ).toBe(true);
});
