/**
 * A folder of tasks may bring its own application: a module `fixture.ts` that starts it and says under which names the browser finds it.
 */
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import type { StateHeaders } from '../episode/index.ts';
import { findingsOf, messageOf, WaymarkError } from '../errors/index.ts';

const Started = z.looseObject({
  /** For Chromium's `--host-resolver-rules`. */
  resolverRules: z.string().optional(),
  /** Hosts that blocked and replayed tasks may still reach. */
  allowHosts: z.array(z.string()).optional(),
  /** Sent to these hosts when the harness reads the state for `state-diff`, and never by a page: a key. */
  stateHeaders: z.record(z.string(), z.string()).optional(),
});

export interface SuiteFixture extends AsyncDisposable {
  resolverRules: string | undefined;
  allowHosts: readonly string[];
  stateHeaders: StateHeaders;
}

/** Starts the fixtures of all places, each once. Where one does not start, the others are stopped. */
export async function startSuiteFixture(places: readonly string[]): Promise<SuiteFixture> {
  await using starting = new AsyncDisposableStack();
  const rules: string[] = [];
  const allowHosts: string[] = [];
  const stateHeaders = new Map<string, Readonly<Record<string, string>>>();
  for (const file of new Set(places.flatMap(fixtureAt))) {
    const started = starting.use(await start(file));
    if (started.resolverRules !== undefined) rules.push(started.resolverRules);
    allowHosts.push(...started.allowHosts);
    for (const [host, headers] of started.stateHeaders) stateHeaders.set(host, headers);
  }
  const all = starting.move();
  return {
    resolverRules: rules.length === 0 ? undefined : rules.join(', '),
    allowHosts,
    stateHeaders,
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

function fixtureAt(place: string): string[] {
  const folder = existsSync(place) && statSync(place).isDirectory() ? place : path.dirname(place);
  const files = ['fixture.ts', 'fixture.mjs', 'fixture.js'].map((name) => path.resolve(folder, name));
  return files.filter(existsSync).slice(0, 1);
}

async function start(file: string): Promise<SuiteFixture> {
  try {
    const module: { default?: () => unknown } = await import(pathToFileURL(path.resolve(file)).href);
    if (typeof module.default !== 'function') throw new TypeError('its default export is no function');
    const given: unknown = await module.default();
    const started = Started.safeParse(given);
    if (!started.success) throw new TypeError(`what it gives is not usable (${findingsOf(started.error).join('; ')})`);
    const { resolverRules, allowHosts = [], stateHeaders } = started.data;
    const stop = (given as Partial<AsyncDisposable>)[Symbol.asyncDispose];
    return {
      resolverRules,
      allowHosts,
      stateHeaders: new Map(stateHeaders ? allowHosts.map((host) => [host, stateHeaders]) : []),
      [Symbol.asyncDispose]: async () => {
        await stop?.call(given);
      },
    };
  } catch (cause) {
    throw new WaymarkError({
      code: 'fixture_failed',
      message: `The tasks' fixture ${file} did not start: ${messageOf(cause)}.`,
      hint: 'It must export by default a function that gives { resolverRules?, allowHosts?, stateHeaders?, [Symbol.asyncDispose]? }.',
      cause,
    });
  }
}
