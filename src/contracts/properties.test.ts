import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compactFacts } from './compact-facts.ts';
import { contractHash } from './contract-hash.ts';
import { evaluate } from './evaluate.ts';
import { evaluateFacts } from './evaluate-facts.ts';
import { explain } from './explain.ts';
import { type Facts, factsSchema } from './facts.ts';
import { all, any, negate, type Verdict } from './kleene.ts';
import { MAX_DEPTH, MAX_NODES } from './limits.ts';
import { parseContract } from './parse-contract.ts';
import { type Contract, contractSchema, type Leaf } from './schema.ts';
import { recordedWitness } from './witness.ts';

// Few values, so that contracts and facts often match.
const selector = fc.constantFrom('body', 'h1', 'my-app >>> li', '__proto__');
const pattern = fc.constantFrom('a', 'b$', '^(a|b)+$', '[0-9]{2}', '(?i)A', '');
const word = fc.constantFrom('', 'a', 'ab', 'b12', 'xyz', 'a'.repeat(300), `${'x'.repeat(300)}b`);
const op = fc.constantFrom('eq' as const, 'gte' as const, 'lte' as const);
const small = fc.integer({ min: 0, max: 3 });
const time = fc.integer({ min: 0, max: 9 });
const status = fc.constantFrom(200, 404, 500);
const unit = fc.constantFrom('ms' as const, 'seconds' as const, 'bytes' as const);
const hash = fc.constantFrom('0000000000000000', '00000000000000ff', 'ffffffffffffffff');
const pageUrl = fc.constantFrom('/cart', 'https://shop.example/cart');
const optional = { noNullPrototype: true } as const;

const leaf: fc.Arbitrary<Leaf> = fc.oneof(
  fc.record({ kind: fc.constant('url' as const), pattern }),
  fc.record(
    { kind: fc.constant('dom_text' as const), selector, contains: word },
    { ...optional, requiredKeys: ['kind', 'contains'] },
  ),
  fc.record(
    { kind: fc.constant('dom_text' as const), selector, equals: word, page_url: pageUrl },
    { ...optional, requiredKeys: ['kind', 'equals'] },
  ),
  fc.record({ kind: fc.constant('dom_text' as const), pattern }),
  fc
    .oneof(
      fc.record({ equals: word }),
      fc.record({ pattern }),
      fc.record({ checked: fc.boolean() }),
      fc.record({ selected: fc.oneof(fc.boolean(), word, fc.array(word, { maxLength: 2 })) }),
      fc.record({ op, value: small, tolerance: small }),
    )
    .chain((way) =>
      fc.record({ kind: fc.constant('dom_value' as const), selector }).map((leaf) => ({ ...leaf, ...way })),
    ),
  fc
    .oneof(
      fc.record({ equals: fc.jsonValue({ maxDepth: 2 }) }),
      fc.record({ pattern }),
      fc.record({ op, value: small }),
    )
    .chain((way) =>
      fc.record(
        {
          kind: fc.constant('script' as const),
          expression: fc.constant('x'),
          forgeable: fc.constant(true as const),
          way: fc.constant(way),
          page_url: pageUrl,
        },
        { ...optional, requiredKeys: ['kind', 'expression', 'forgeable', 'way'] },
      ),
    )
    .map(({ way, ...asked }) => ({ ...asked, ...way })),
  fc.record(
    { kind: fc.constant('dom_count' as const), selector, op, value: small, page_url: pageUrl },
    { ...optional, requiredKeys: ['kind', 'selector', 'op', 'value'] },
  ),
  fc.record({
    kind: fc.constant('network' as const),
    url_pattern: pattern,
    status_in: fc.array(status, { minLength: 1, maxLength: 2 }),
    since: fc.constantFrom('contract_enter' as const, 'last_tool_call' as const),
  }),
  fc.record({
    kind: fc.constant('screenshot_class' as const),
    class_id: fc.constantFrom('cart', 'done'),
    distance_max: fc.integer({ min: 0, max: 64 }),
  }),
  fc.record({ kind: fc.constant('no_dialog' as const) }),
  fc.record({
    kind: fc.constant('image_qa' as const),
    question: fc.constantFrom('Empty?', 'Red?'),
    expected_pattern: pattern,
  }),
  fc.record({ kind: fc.constant('answer' as const), pattern }),
  fc.record({
    kind: fc.constant('performance' as const),
    schema_version: fc.constant(1 as const),
    metric: fc.constantFrom('LCP', 'FCP'),
    unit,
    op,
    value: small,
    max_age_ms: time,
  }),
  fc.record(
    {
      kind: fc.constant('console' as const),
      schema_version: fc.constant(1 as const),
      type: fc.constantFrom('log', 'error'),
      message_pattern: pattern,
      uncaught: fc.boolean(),
      op,
      value: small,
      max_age_ms: time,
    },
    { ...optional, requiredKeys: ['kind', 'schema_version', 'op', 'value', 'max_age_ms'] },
  ),
);

const { contract } = fc.letrec<{ contract: Contract }>((tie) => ({
  contract: fc.oneof(
    { depthSize: 'small', maxDepth: 4, withCrossShrink: true },
    leaf,
    fc.record({
      kind: fc.constantFrom('and' as const, 'or' as const),
      children: fc.array(tie('contract'), { minLength: 1, maxLength: 3 }),
    }),
    fc.record({ kind: fc.constant('not' as const), child: tie('contract') }),
  ),
}));

const control = fc.record(
  {
    value: fc.option(word),
    checked: fc.boolean(),
    selected: fc.oneof(fc.boolean(), fc.array(fc.record({ label: word, value: word }), { maxLength: 2 })),
  },
  { ...optional, requiredKeys: ['value'] },
);
const dom = {
  domText: fc.dictionary(selector, fc.option(word)),
  domValue: fc.dictionary(selector, fc.option(control)),
  domCount: fc.dictionary(selector, small),
};

const script = fc.dictionary(fc.constant('x'), fc.jsonValue({ maxDepth: 2 })) as fc.Arbitrary<
  NonNullable<Facts['script']>
>;

const facts: fc.Arbitrary<Facts> = fc.record(
  {
    ts: time,
    url: word,
    ...dom,
    pages: fc.dictionary(pageUrl, fc.record({ ...dom, script }, { ...optional, requiredKeys: [] })),
    script,
    network: fc.array(fc.record({ url: word, status, ts: time }), { maxLength: 5 }),
    markers: fc.record({ contract_enter: time, last_tool_call: time }, { ...optional, requiredKeys: [] }),
    dialogs: fc.record({ open: fc.boolean(), seen: small }),
    console: fc.array(
      fc.record({ type: fc.constantFrom('log', 'error'), text: word, uncaught: fc.boolean(), ts: time }),
      { maxLength: 5 },
    ),
    performance: fc.array(fc.record({ metric: fc.constantFrom('LCP', 'FCP'), value: small, unit, ts: time }), {
      maxLength: 4,
    }),
    screenshot: fc.record({ hash, path: word }, { ...optional, requiredKeys: ['hash'] }),
    exemplars: fc.dictionary(
      fc.constantFrom('cart', 'done'),
      fc.array(fc.record({ name: word, hash }), { maxLength: 3 }),
    ),
    answer: fc.option(word),
    answers: fc.dictionary(fc.constantFrom('Empty?', 'Red?'), word),
    unavailable: fc.dictionary(fc.constantFrom('dom', 'dom:h1', 'url', 'network'), fc.constant('Lost.')),
  },
  { ...optional, requiredKeys: [] },
);

const verdictOf = (contract: Contract, facts: Facts) => evaluateFacts(contract, facts).verdict;
const not = (child: Contract): Contract => ({ kind: 'not', child });
const and = (...children: Contract[]): Contract => ({ kind: 'and', children });
const or = (...children: Contract[]): Contract => ({ kind: 'or', children });

describe("Kleene's laws", () => {
  const VERDICTS: Verdict[] = ['pass', 'fail', 'inconclusive'];
  const triples = VERDICTS.flatMap((x) => VERDICTS.flatMap((y) => VERDICTS.map((z) => [x, y, z] as const)));
  const conj = (...verdicts: Verdict[]) => all(verdicts).verdict;
  const disj = (...verdicts: Verdict[]) => any(verdicts).verdict;

  test.each(triples)('hold for %s, %s, %s', (x, y, z) => {
    expect(negate(negate(x))).toBe(x);
    expect(negate(conj(x, y))).toBe(disj(negate(x), negate(y)));
    expect(negate(disj(x, y))).toBe(conj(negate(x), negate(y)));
    expect(conj(x, y, z)).toBe(conj(z, y, x));
    expect(disj(x, y, z)).toBe(disj(z, y, x));
    expect(conj(x, conj(y, z))).toBe(conj(conj(x, y), z));
    expect(disj(x, disj(y, z))).toBe(disj(disj(x, y), z));
    expect(conj(x, disj(y, z))).toBe(disj(conj(x, y), conj(x, z)));
    expect(disj(x, conj(y, z))).toBe(conj(disj(x, y), disj(x, z)));
    expect([conj(x, x), disj(x, x), conj(x, 'pass'), disj(x, 'fail')]).toEqual([x, x, x, x]);
    expect([conj(x, 'fail'), disj(x, 'pass')]).toEqual(['fail', 'pass']);
  });

  test('are exactly this table', () => {
    expect(VERDICTS.map((x) => VERDICTS.map((y) => conj(x, y)))).toEqual([
      ['pass', 'fail', 'inconclusive'],
      ['fail', 'fail', 'fail'],
      ['inconclusive', 'fail', 'inconclusive'],
    ]);
  });

  test('hold for whole contracts', () => {
    fc.assert(
      fc.property(contract, contract, facts, (x, y, seen) => {
        expect(verdictOf(not(and(x, y)), seen)).toBe(verdictOf(or(not(x), not(y)), seen));
        expect(verdictOf(not(not(x)), seen)).toBe(verdictOf(x, seen));
        expect(verdictOf(and(x, y), seen)).toBe(verdictOf(and(y, x), seen));
        expect(verdictOf(or(x, y), seen)).toBe(verdictOf(or(y, x), seen));
      }),
    );
  });
});

describe('a verdict', () => {
  test('is the same every time, from the facts or from their record, live or not', async () => {
    await fc.assert(
      fc.asyncProperty(contract, facts, async (asked, seen) => {
        const evidence = evaluateFacts(asked, seen);
        const stored: Facts = JSON.parse(JSON.stringify(seen));
        expect(evaluateFacts(asked, stored)).toEqual(evidence);
        expect(JSON.parse(JSON.stringify(evidence))).toEqual(evidence);
        expect(explain(evidence)).toEqual(explain(evaluateFacts(asked, stored)));
        expect(await evaluate(asked, recordedWitness(seen), new AbortController().signal)).toEqual(evidence);
      }),
    );
  });

  test('does not depend on the order of children', () => {
    const reversed = (node: Contract): Contract => {
      if (node.kind === 'not') return not(reversed(node.child));
      return node.kind === 'and' || node.kind === 'or'
        ? { ...node, children: node.children.map(reversed).toReversed() }
        : node;
    };
    fc.assert(
      fc.property(contract, facts, (asked, seen) => {
        expect(verdictOf(reversed(asked), seen)).toBe(verdictOf(asked, seen));
      }),
    );
  });

  test('with fewer facts is the same or inconclusive: no missing fact has a default', () => {
    fc.assert(
      fc.property(
        contract,
        facts,
        fc.array(fc.constantFrom(...(Object.keys(factsSchema.shape) as (keyof Facts)[]))),
        (asked, seen, forgotten) => {
          const less = { ...seen };
          for (const name of forgotten) delete less[name];
          expect(['inconclusive', verdictOf(asked, seen)]).toContain(verdictOf(asked, less));
        },
      ),
      { numRuns: 300 },
    );
  });

  test('without any fact is inconclusive', () => {
    fc.assert(
      fc.property(contract, (asked) => {
        expect(verdictOf(asked, {})).toBe('inconclusive');
      }),
    );
  });

  test('and its evidence are the same from compacted facts', () => {
    fc.assert(
      fc.property(contract, facts, (asked, seen) => {
        const compact = compactFacts(asked, seen);
        expect(evaluateFacts(asked, compact)).toEqual(evaluateFacts(asked, seen));
        expect(compactFacts(asked, compact)).toEqual(compact);
        expect(factsSchema.safeParse(JSON.parse(JSON.stringify(compact))).success).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});

describe('parseContract', () => {
  /** A contract with one value somewhere replaced, removed or added. */
  const damaged = fc
    .tuple(
      contract,
      fc.nat(),
      fc.constantFrom('kind', 'pattern', 'selector', 'op', 'value', 'children', 'child', '__proto__'),
      fc.jsonValue(),
      fc.boolean(),
    )
    .map(([whole, at, key, value, remove]) => {
      const copy: unknown = JSON.parse(JSON.stringify(whole));
      const places: Record<string, unknown>[] = [];
      const collect = (node: unknown) => {
        if (typeof node !== 'object' || node === null) return;
        if (!Array.isArray(node)) places.push(node as Record<string, unknown>);
        for (const child of Object.values(node)) collect(child);
      };
      collect(copy);
      const place = places[at % places.length];
      if (place !== undefined) {
        if (remove) delete place[Object.keys(place)[at % Object.keys(place).length] ?? ''];
        else Object.defineProperty(place, key, { value, enumerable: true, configurable: true, writable: true });
      }
      return copy;
    });

  const withinLimits = (input: unknown, depth = 1): number => {
    if (typeof input !== 'object' || input === null) return 1;
    if (depth > MAX_DEPTH) return Number.POSITIVE_INFINITY;
    const { children, child } = input as { children?: unknown; child?: unknown };
    const below = [...(Array.isArray(children) ? children : []), ...(child === undefined ? [] : [child])];
    return below.reduce((sum: number, node) => sum + withinLimits(node, depth + 1), 1);
  };

  test('never throws, and names the problems', () => {
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue({ maxDepth: 6 }), damaged), (input) => {
        const parsed = parseContract(input);
        if (parsed.ok) expect(parsed.contract).toEqual(input);
        else
          for (const { path, message } of parsed.problems)
            expect([path, message]).toEqual([expect.stringMatching(/^\$/), expect.stringMatching(/\.$/)]);
      }),
      { numRuns: 500 },
    );
  });

  test('accepts what the schema accepts, and nothing else', () => {
    fc.assert(
      fc.property(fc.oneof(contract, damaged), (input) => {
        fc.pre(withinLimits(input) <= MAX_NODES);
        expect(parseContract(input).ok).toBe(contractSchema.safeParse(input).success);
      }),
      { numRuns: 500 },
    );
  });

  test('gives a contract whose hash is that of its JSON in any order of fields', () => {
    const turned = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(turned);
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(
        Object.entries(value)
          .toReversed()
          .map(([key, inner]) => [key, turned(inner)]),
      );
    };
    fc.assert(
      fc.property(contract, (whole) => {
        expect(contractHash(turned(whole) as Contract)).toBe(contractHash(whole));
      }),
    );
  });
});
