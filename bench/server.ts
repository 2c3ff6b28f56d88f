/**
 * `npm run bench:server [-- --engine pglite|postgres|both] [--runs 20000] [--items 1000,10000] [--rounds 3] [--requests 100]
 *   [--clients 50] [--seconds 20] [--json]`:
 * first start, imports, scoring and latency of the server, alone and with many clients, with many runs in the store, beside what the same costs bare.
 * Progress on standard error; the figures on standard output.
 */
import { parseArgs } from 'node:util';
import { engines } from '../test/support/engines.ts';
import { inTurns, median } from './measure.ts';
import { type ServerChild, serveBare, serveWaymark } from './server-child.ts';
import { captureOf, type Imported, importAndScore, makePack } from './server-client.ts';
import { measureLoad, percentile } from './server-load.ts';
import { type Figures, type ImportFigures, type Latency, printFigures } from './server-print.ts';
import { bareInsert, seedRuns } from './server-seed.ts';

const { values } = parseArgs({
  options: {
    engine: { type: 'string', default: 'both' },
    runs: { type: 'string', default: '20000' },
    items: { type: 'string', default: '1000,10000' },
    rounds: { type: 'string', default: '3' },
    requests: { type: 'string', default: '100' },
    clients: { type: 'string', default: '50' },
    seconds: { type: 'string', default: '20' },
    'load-items': { type: 'string', default: '50' },
    json: { type: 'boolean', default: false },
  },
});
const chosen = engines.filter(({ name }) => values.engine === 'both' || name.toLowerCase().startsWith(values.engine));
if (chosen.length === 0) throw new Error('--engine is pglite, postgres or both.');
const sizes = values.items.split(',').map(Number);
const progress = (line: string) => process.stderr.write(`${line}\n`);

const all: Figures[] = [];
for (const engine of chosen) all.push(await measureEngine(engine));
if (values.json) console.log(JSON.stringify({ node: process.version, engines: all }, null, 2));
else printFigures(all);

async function measureEngine({ name, prepare }: (typeof engines)[number]): Promise<Figures> {
  const runs = Number(values.runs);
  progress(`${name}: first start …`);
  const first_start = await firstStart(prepare);
  const engine = await prepare();
  try {
    progress(`${name}: ${runs} runs by SQL …`);
    const started = performance.now();
    const store = await engine.open();
    await seedRuns(store, runs);
    await store.close();
    const seed_ms = performance.now() - started;
    const measured = await onServer(name, engine.flags());
    // The folder is free again: nobody else may have it open.
    const again = await engine.open();
    const imports: ImportFigures[] = [];
    for (const { rounds, peak } of measured.imports) {
      const bare = await inTurnsOf(rounds, ({ run }) => bareInsert(again, run));
      imports.push(figuresOf(rounds, bare, peak));
    }
    return {
      engine: name,
      runs,
      first_start,
      seed_ms,
      idle_mib: measured.idle,
      imports,
      latencies: measured.latencies,
      load: measured.load,
    };
  } finally {
    await engine.close();
  }
}

/** Of a server without any data, as `npm run serve` in a checkout starts it: until its address is printed, and the most memory until then. */
async function firstStart(prepare: (typeof engines)[number]['prepare']): Promise<{ ms: number; mib: number }> {
  const engine = await prepare();
  try {
    const started = performance.now();
    await using server = await serveWaymark(engine.flags());
    return { ms: performance.now() - started, mib: server.peakMiB() };
  } finally {
    await engine.close();
  }
}

async function onServer(name: string, flags: readonly string[]) {
  await using server = await serveWaymark(flags);
  const idle = server.peakMiB();
  const imports: { rounds: Imported[]; peak: number }[] = [];
  for (const size of sizes) {
    const pack = await makePack(server.url, size);
    const rounds: Imported[] = [];
    // The first is not counted: code is cold.
    for (let round = 0; round <= Number(values.rounds); round++) {
      progress(`${name}: import of ${size} items, ${round === 0 ? 'to warm up' : `round ${round}`} …`);
      const done = await importAndScore(server.url, captureOf(pack, `${size} ${round}`));
      if (round > 0) rounds.push(done);
    }
    imports.push({ rounds, peak: server.peakMiB() });
  }
  progress(`${name}: latencies …`);
  const latencies = await latenciesOf(server, imports);
  const [clients, seconds, items] = [Number(values.clients), Number(values.seconds), Number(values['load-items'])];
  progress(`${name}: ${clients} clients for ${seconds} s …`);
  return { idle, imports, latencies, load: await measureLoad(server.url, { clients, seconds, items }) };
}

async function latenciesOf(server: ServerChild, imports: readonly { rounds: Imported[] }[]): Promise<Latency[]> {
  await using bare = await serveBare();
  const { url } = server;
  const [{ runs = [] }] = [(await (await fetch(`${url}runs?limit=500`)).json()) as { runs: SeenRun[] }];
  const seeded = runs.find(({ dataset }) => dataset.name.startsWith('Seed'));
  const places = new Map<string, string>([
    ['empty hono route', bare.url],
    ['GET /healthz', `${url}healthz`],
    ['list of runs', `${url}runs`],
    ['list of runs, a page further', `${url}runs?before=${seeded?.id}`],
    ['list, one dataset', `${url}runs?dataset_id=${seeded?.dataset.id}`],
    ['list, one provider', `${url}runs?provider_id=${seeded?.provider.id}`],
    ['list, a rare scoring status', `${url}runs?scoring_status=failed`],
    ['list, a status that no run has', `${url}runs?status=cancelled`],
  ]);
  sizes.forEach((size, index) => {
    const [a, b] = imports[index]?.rounds ?? [];
    places.set(`run of ${size} items`, `${url}runs/${a?.run}`);
    places.set(`items page, run of ${size}`, `${url}runs/${a?.run}/items?after=${size >> 1}`);
    places.set(`compare, ${size} items`, `${url}runs/compare?a=${a?.run}&b=${(b ?? a)?.run}`);
  });
  const works = Object.fromEntries([...places].map(([place, address]) => [place, () => ask(address)]));
  await inTurns(3, works);
  const times = await inTurns(Number(values.requests), works);
  const base = median(times['empty hono route'] ?? []);
  return Object.entries(times).map(([place, taken]) => {
    const p50 = median(taken);
    return { name: place, p50_ms: p50, p95_ms: percentile(taken, 0.95), over_bare: p50 / base };
  });
}

interface SeenRun {
  id: string;
  dataset: { id: string; name: string };
  provider: { id: string };
}

async function ask(address: string): Promise<void> {
  const response = await fetch(address);
  const text = await response.text();
  if (!response.ok) throw new Error(`${address} answered ${response.status}: ${text.slice(0, 300)}`);
}

async function inTurnsOf<T, R>(values: readonly T[], work: (value: T) => Promise<R>): Promise<R[]> {
  const done: R[] = [];
  for (const value of values) done.push(await work(value));
  return done;
}

function figuresOf(rounds: Imported[], bare: { items: number; ms: number }[], peak: number): ImportFigures {
  const items = bare[0]?.items ?? 0;
  const importMs = median(rounds.map((round) => round.importMs));
  const scoringMs = median(rounds.map((round) => round.scoringMs));
  const bareMs = median(bare.map(({ ms }) => ms));
  const waitedMs = median(rounds.map((round) => round.waitedMs));
  return {
    items,
    import_ms: importMs,
    import_items_per_s: (items / importMs) * 1000,
    bare_insert_ms: bareMs,
    import_over_bare: importMs / bareMs,
    scoring_ms: scoringMs,
    scoring_items_per_s: (items / scoringMs) * 1000,
    waited_ms: waitedMs,
    end_to_end_items_per_s: (items / (waitedMs + scoringMs)) * 1000,
    health_importing_ms: Math.max(...rounds.map(({ healthMs }) => healthMs.importing)),
    health_scoring_ms: Math.max(...rounds.map(({ healthMs }) => healthMs.scoring)),
    peak_mib: peak,
  };
}
