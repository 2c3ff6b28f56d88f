/**
 * Contexts by the hundred: each is acquired, dirtied in every kind that the proof knows, and released; the next one must be clean where
 * the others were dirty. Counts leaks, and watches processes, profile folders and memory.
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startFixtureServer } from '../fixtures/server.ts';
import { Browser, findBrowser, Pool, type Slot, STATE_VARIABLE } from '../src/chromium/index.ts';
import { memoryOf } from './process-usage.ts';

export interface SoakOptions {
  contexts: number;
  slots?: number;
  browser?: string | undefined;
  onProgress?: (sample: SoakSample) => void;
}

export interface SoakSample {
  done: number;
  seconds: number;
  /** Resident memory of the browser with all its processes, and of this process. */
  browserMiB: number;
  harnessMiB: number;
  processes: number;
}

export interface SoakResult {
  contexts: number;
  seconds: number;
  browser: string;
  /** Findings in slots that should have been clean. */
  leaks: string[];
  /** Kinds that a dirtied slot showed, with how often: what the soak really tried. */
  dirtied: Record<string, number>;
  samples: SoakSample[];
  processesLeft: number;
  profilesLeft: number;
}

/** Says whether it copied. */
const COPY = `(() => { const area = document.createElement('textarea'); area.value = 'secret'; document.body.append(area); area.select(); const copied = document.execCommand('copy'); area.remove(); window.name = 'mine'; return copied; })()`;

export async function soak(options: SoakOptions): Promise<SoakResult> {
  const { contexts, slots = 4 } = options;
  const found = findBrowser({ wanted: options.browser });
  if (!found) throw new Error('No browser found: see `npm run waymark -- doctor`.');
  await using server = await startFixtureServer();
  const origin = `http://localhost:${server.port}`;
  // A folder of its own, so that other harnesses on this machine are not counted.
  const state = mkdtempSync(path.join(tmpdir(), 'waymark-soak-'));
  const stateBefore = process.env[STATE_VARIABLE];
  process.env[STATE_VARIABLE] = state;
  const start = performance.now();
  const leaks: string[] = [];
  const dirtied: Record<string, number> = {};
  const samples: SoakSample[] = [];
  const pids: number[] = [];
  let done = 0;
  let begun = 0;
  let product = '';
  {
    await using pool = new Pool({
      slots,
      start: () => Browser.launch({ browser: found, resolverRules: server.resolverRules }),
      // Every slot is read at the origin that all others dirty.
      deepEvery: 1,
      onEvent: (event) => {
        if (event.type === 'slot_refused') leaks.push(...event.findings);
        if (event.type === 'browser_started') {
          product = event.product;
          if (event.pid) pids.push(event.pid);
        }
      },
    });
    const sample = (): void => {
      const memory = memoryOf(pids);
      const taken = {
        done,
        seconds: (performance.now() - start) / 1000,
        browserMiB: memory.mib,
        harnessMiB: process.memoryUsage.rss() / 2 ** 20,
        processes: memory.processes,
      };
      samples.push(taken);
      options.onProgress?.(taken);
    };
    const every = Math.max(1, Math.floor(contexts / 10));
    const worker = async (): Promise<void> => {
      while (begun < contexts) {
        begun++;
        const { slot } = await pool.acquire();
        const copied = await dirty(slot, origin);
        const kinds = new Set((await slot.prove()).findings.map(kindOf));
        if (copied) kinds.add('clipboard');
        for (const kind of kinds) dirtied[kind] = (dirtied[kind] ?? 0) + 1;
        await slot.release();
        done++;
        if (done % every === 0) sample();
      }
    };
    await Promise.all(Array.from({ length: slots }, worker));
  }
  const profilesLeft = readdirSync(path.join(state, 'profiles')).length;
  rmSync(state, { recursive: true, force: true });
  if (stateBefore === undefined) delete process.env[STATE_VARIABLE];
  else process.env[STATE_VARIABLE] = stateBefore;
  return {
    contexts: done,
    seconds: (performance.now() - start) / 1000,
    browser: product,
    leaks,
    dirtied,
    samples,
    processesLeft: memoryOf(pids).processes,
    profilesLeft,
  };
}

async function dirty(slot: Slot, origin: string): Promise<boolean> {
  const { session } = slot.firstPage;
  const { root } = slot.host.browser.connection;
  const loaded = session.next('Page.loadEventFired');
  await Promise.all([session.send('Page.navigate', { url: `${origin}/storage?dirty=1` }), loaded]);
  const isReady = `new Promise((done) => { const look = () => document.body.dataset.ready === '1' ? done(1) : requestAnimationFrame(look); look(); })`;
  await session.send('Runtime.evaluate', { expression: isReady, awaitPromise: true });
  const [copied] = await Promise.all([
    session.send('Runtime.evaluate', { expression: COPY, userGesture: true, returnByValue: true }),
    root.send('Browser.grantPermissions', { browserContextId: slot.contextId, permissions: ['geolocation'] }),
    root.send('Target.createTarget', { url: `${origin}/small`, browserContextId: slot.contextId }),
  ]);
  return copied.result.value === true;
}

const KINDS: [RegExp, string][] = [
  [/^cookies/, 'cookies'],
  [/local storage/, 'local storage'],
  [/session storage/, 'session storage'],
  [/IndexedDB/, 'IndexedDB'],
  [/caches/, 'cache storage'],
  [/service workers/, 'service workers'],
  [/tabs? /, 'tabs'],
  [/^window\.name/, 'window.name'],
  [/history/, 'history'],
  [/^permission/, 'permissions'],
  [/clipboard/, 'clipboard'],
  [/requests/, 'requests'],
];

function kindOf(finding: string): string {
  return KINDS.find(([pattern]) => pattern.test(finding))?.[1] ?? finding;
}
