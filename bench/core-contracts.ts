/** What the contract core costs: medians in microseconds. Composed into `npm run bench:core`. */
import {
  type Contract,
  compactFacts,
  contractHash,
  evaluateFacts,
  explain,
  type Facts,
  parseContract,
  perceptualHash,
} from '../src/contracts/index.ts';
import { type BenchRow, medianMicros } from './measure.ts';

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

/**
 * @example
 * for (const { name, value, unit } of await benchContracts()) console.log(name, value.toFixed(1), unit);
 */
export async function benchContracts(): Promise<BenchRow[]> {
  const contract = largest();
  const evidence = evaluateFacts(contract, FACTS);
  const fresh = Array.from({ length: 220 }, (_, i) => largest(`s${i}`));
  const row = (name: string, value: number, goal?: number): BenchRow => ({
    name,
    value,
    unit: 'µs',
    goal,
  });
  return [
    row(
      'parseContract, 64 assertions',
      medianMicros(() => parseContract(contract), 200, 31),
      200,
    ),
    row(
      'parseContract, 64 assertions, 21 patterns never seen before',
      medianMicros((i) => parseContract(fresh[i + 1]), 1, 200),
    ),
    row(
      'judge, 64 assertions, 200 responses',
      medianMicros(() => evaluateFacts(contract, FACTS), 20, 31),
    ),
    row(
      'judge, one dom_text',
      medianMicros(
        () => evaluateFacts({ kind: 'dom_text', selector: 'h1', contains: 'x' }, { domText: { h1: 'abc' } }),
        2000,
        31,
      ),
    ),
    row(
      'compactFacts, 64 assertions, 200 responses',
      medianMicros(() => compactFacts(contract, FACTS), 100, 31),
    ),
    row(
      'explain, 64 assertions',
      medianMicros(() => explain(evidence), 100, 31),
    ),
    row(
      'contractHash, 64 assertions',
      medianMicros(() => contractHash(contract), 100, 31),
    ),
    row(
      'perceptualHash, 1280 × 720 RGBA',
      medianMicros(() => perceptualHash(screenshot), 3, 15),
    ),
  ];
}
