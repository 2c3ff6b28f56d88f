/** Many clients at once: most of them read, some import. Each asks again as soon as it has its answer, as a busy team and its scripts would. */
import { captureOf, HealthProbe, importCapture, makePack } from './server-client.ts';

export interface LoadFigures {
  clients: number;
  seconds: number;
  reads: OperationFigures;
  imports: OperationFigures;
  health_longest_ms: number;
}

interface OperationFigures {
  count: number;
  p50_ms: number;
  p95_ms: number;
  longest_ms: number;
}

export interface LoadOptions {
  clients: number;
  seconds: number;
  /** Items of each import. */
  items: number;
}

/** Of a hundred operations. */
const IMPORTS = 15;

export async function measureLoad(url: string, { clients, seconds, items }: LoadOptions): Promise<LoadFigures> {
  const pack = await makePack(url, items);
  const first = await importCapture(url, captureOf(pack, 'load, the first'));
  const reads = await readsOf(url, first);
  const times = { reads: [] as number[], imports: [] as number[] };
  const end = performance.now() + seconds * 1000;
  const probe = new HealthProbe(url);
  let operation = 0;
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (performance.now() < end) {
        // Spread evenly: 7 and 100 have no common divisor.
        const number = operation++;
        const isImport = (number * 7) % 100 < IMPORTS;
        const capture = isImport ? captureOf(pack, `load ${number}`) : undefined;
        const started = performance.now();
        if (capture) await importCapture(url, capture);
        else await read(reads[number % reads.length] ?? url);
        times[isImport ? 'imports' : 'reads'].push(performance.now() - started);
      }
    }),
  );
  return {
    clients,
    seconds,
    reads: figuresOf(times.reads),
    imports: figuresOf(times.imports),
    health_longest_ms: await probe.end(),
  };
}

/** What the web app asks for: lists, a run, its items and its log. */
async function readsOf(url: string, run: string): Promise<string[]> {
  const { runs } = (await (await fetch(`${url}runs?limit=500`)).json()) as {
    runs: { id: string; dataset: { id: string; name: string } }[];
  };
  const seeded = runs.find(({ dataset }) => dataset.name.startsWith('Seed'));
  return [
    `${url}runs`,
    `${url}runs?before=${seeded?.id}`,
    `${url}runs?dataset_id=${seeded?.dataset.id}`,
    `${url}runs/${run}`,
    `${url}runs/${run}/items`,
    `${url}runs/${run}/logs`,
    `${url}datasets`,
  ];
}

async function read(address: string): Promise<void> {
  const response = await fetch(address);
  const text = await response.text();
  if (!response.ok) throw new Error(`${address} answered ${response.status}: ${text.slice(0, 300)}`);
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

function figuresOf(times: readonly number[]): OperationFigures {
  return {
    count: times.length,
    p50_ms: percentile(times, 0.5),
    p95_ms: percentile(times, 0.95),
    longest_ms: percentile(times, 1),
  };
}
