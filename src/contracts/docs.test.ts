import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { evaluate } from './evaluate.ts';
import { evaluateFacts } from './evaluate-facts.ts';
import type { Evidence } from './evidence.ts';
import { explain } from './explain.ts';
import { factsSchema } from './facts.ts';
import { parseContract } from './parse-contract.ts';
import { KINDS } from './schema.ts';
import { recordedWitness } from './witness.ts';

const page = readFileSync(new URL('../../docs/reference/contracts.md', import.meta.url), 'utf8');

interface Block {
  heading: string;
  label: string;
  body: string;
}

/** The fenced blocks of the page, each with its heading. */
function blocksOf(markdown: string): Block[] {
  let heading = '';
  return [...markdown.matchAll(/^#+ (.*)$|^```(.*)\n([\s\S]*?)^```$/gm)].flatMap(([, title, label, body]) => {
    if (title !== undefined) heading = title;
    return label !== undefined && body !== undefined ? [{ heading, label, body }] : [];
  });
}

const blocks = blocksOf(page);
const contracts = blocks
  .map((block, i) => ({ ...block, next: blocks[i + 1], afterNext: blocks[i + 2] }))
  .filter(({ label }) => label === 'json contract');
const evaluated = contracts.filter(({ next }) => next?.label === 'json facts');
const refused = contracts.filter(({ next }) => next?.label === 'text problems');

test('the page has an example of every kind, and every block is run by this test', () => {
  expect(evaluated.map(({ heading }) => heading)).toEqual(KINDS);
  const run = evaluated.length * 3 + refused.length * 2;
  expect(blocks.filter(({ label }) => label.startsWith('json') || label === 'text problems')).toHaveLength(run);
});

test.each(evaluated)('example of $heading', async ({ heading, body, next, afterNext }) => {
  const parsed = parseContract(JSON.parse(body));
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  const facts = factsSchema.parse(JSON.parse(next?.body ?? ''));
  const evidence: Evidence = JSON.parse(afterNext?.body ?? '');
  expect(parsed.contract.kind).toBe(heading);
  expect(evaluateFacts(parsed.contract, facts)).toEqual(evidence);
  expect(await evaluate(parsed.contract, recordedWitness(facts))).toEqual(evidence);
});

test.each(refused)('refusal under $heading', ({ body, next }) => {
  const parsed = parseContract(JSON.parse(body));
  const lines = parsed.ok ? [] : parsed.problems.map(({ path, message }) => `${path}: ${message}`);
  expect(`${lines.join('\n')}\n`).toBe(next?.body);
});

test('the first example prints what the page shows', async () => {
  const parsed = parseContract({ kind: 'dom_text', selector: 'h1', contains: 'Thank you' });
  if (!parsed.ok) throw new Error('refused');
  const evidence = await evaluate(parsed.contract, recordedWitness({ domText: { h1: 'Your cart' } }));
  const [code, printed] = blocks;
  expect(code?.body).toContain("parseContract({ kind: 'dom_text', selector: 'h1', contains: 'Thank you' })");
  expect(code?.body).toContain("recordedWitness({ domText: { h1: 'Your cart' } })");
  expect(`${explain(evidence).join('\n')}\n`).toBe(printed?.body);
});
