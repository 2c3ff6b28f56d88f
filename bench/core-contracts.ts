/** What the contract core costs: medians in microseconds. Composed into `npm run bench:core`. */
import {
  type Contract,
  compactFacts,
  contractHash,
  explain,
  type Facts,
  judge,
  parseContract,
  perceptualHash,
} from '../src/contracts/index.ts';

export interface BenchRow {
  name: string;
  value: number;
  unit: string;
  /** What it has to stay under; null where the number is only for information. */
  goal: number | null;
}

/** 64 assertions of every kind, as large as a contract may be; `salt` makes its patterns new to the cache. */
function largest(salt = ''): Contract {
  const leaves = (i: number): Contract[] => [
    { kind: 'url', pattern: `^https://shop\\.example/orders/[0-9]+/done${i}${salt}$` },
    { kind: 'dom_text', selector: `main > section.card:nth-child(${i + 1}) h1`, contains: 'Thank you' },
    { kind: 'dom_count', selector: `ul.items > li[data-id="${i}"]:not(.gone)`, op: 'gte', value: i },
    { kind: 'network', url_pattern: `/api/orders/${i}${salt}\\?`, status_in: [200, 201, 204], since: 'contract_enter' },
    { kind: 'no_dialog' },
    { kind: 'performance', schema_version: 1, metric: 'LCP', unit: 'ms', op: 'lte', value: 2500, max_age_ms: 60_000 },
    {
      kind: 'console',
      schema_version: 1,
      type: 'error',
      message_pattern: `E${i}${salt}[0-9]`,
      op: 'eq',
      value: 0,
      max_age_ms: 60_000,
    },
  ];
  const groups = Array.from({ length: 7 }, (_, i): Contract => ({ kind: i % 2 ? 'and' : 'or', children: leaves(i) }));
  const six: Contract[] = Array.from({ length: 3 }, () => ({ kind: 'not', child: { kind: 'no_dialog' } }));
  return {
    kind: 'and',
    children: [...groups, ...six, { kind: 'image_qa', question: 'Empty?', expected_pattern: 'no' }],
  };
}

const FACTS: Facts = {
  ts: 1000,
  url: 'https://shop.example/orders/17/done3',
  domText: Object.fromEntries(
    Array.from({ length: 7 }, (_, i) => [`main > section.card:nth-child(${i + 1}) h1`, 'Thank you'.repeat(50)]),
  ),
  domCount: Object.fromEntries(Array.from({ length: 7 }, (_, i) => [`ul.items > li[data-id="${i}"]:not(.gone)`, 3])),
  network: Array.from({ length: 200 }, (_, ts) => ({
    url: `https://shop.example/api/orders/${ts}?page=1&size=20`,
    status: 200,
    ts,
  })),
  markers: { contract_enter: 0, last_tool_call: 500 },
  dialogs: { open: false, seen: 0 },
  console: Array.from({ length: 50 }, (_, ts) => ({
    type: ts % 5 ? 'log' : 'error',
    text: `message ${ts}`,
    uncaught: false,
    ts,
  })),
  performance: [{ metric: 'LCP', value: 900, unit: 'ms', ts: 900 }],
};

const screenshot = {
  width: 1280,
  height: 720,
  data: Uint8Array.from({ length: 1280 * 720 * 4 }, (_, i) => (i * 31) % 251),
};

/** The median of `batches` measurements of `size` calls each, in microseconds a call, after a warm-up. */
function median(batches: number, size: number, work: (call: number) => unknown): number {
  for (let i = 0; i < size; i++) work(-1 - i);
  const times = Array.from({ length: batches }, (_, batch) => {
    const start = performance.now();
    for (let i = 0; i < size; i++) work(batch * size + i);
    return ((performance.now() - start) * 1000) / size;
  });
  return times.toSorted((a, b) => a - b)[batches >> 1] ?? Number.NaN;
}

/**
 * @example
 * for (const { name, value, unit } of await benchContracts()) console.log(name, value.toFixed(1), unit);
 */
export async function benchContracts(): Promise<BenchRow[]> {
  const contract = largest();
  const evidence = judge(contract, FACTS);
  const fresh = Array.from({ length: 220 }, (_, i) => largest(`s${i}`));
  const row = (name: string, value: number, goal: number | null = null): BenchRow => ({
    name,
    value,
    unit: 'µs',
    goal,
  });
  return [
    row(
      'parseContract, 64 assertions',
      median(31, 200, () => parseContract(contract)),
      200,
    ),
    row(
      'parseContract, 64 assertions, 21 patterns never seen before',
      median(200, 1, (i) => parseContract(fresh[i + 1])),
    ),
    row(
      'judge, 64 assertions, 200 responses',
      median(31, 20, () => judge(contract, FACTS)),
    ),
    row(
      'judge, one dom_text',
      median(31, 2000, () => judge({ kind: 'dom_text', selector: 'h1', contains: 'x' }, { domText: { h1: 'abc' } })),
    ),
    row(
      'compactFacts, 64 assertions, 200 responses',
      median(31, 100, () => compactFacts(contract, FACTS)),
    ),
    row(
      'explain, 64 assertions',
      median(31, 100, () => explain(evidence)),
    ),
    row(
      'contractHash, 64 assertions',
      median(31, 100, () => contractHash(contract)),
    ),
    row(
      'perceptualHash, 1280 × 720 RGBA',
      median(15, 3, () => perceptualHash(screenshot)),
    ),
  ];
}
