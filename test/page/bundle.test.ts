import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { BUDGET, buildRuntime, faultsOf, sizesOf } from '../../page/build.ts';
import { unsafeSinks } from '../../page/unsafe-sinks.ts';

const sources = path.join(import.meta.dirname, '../../page/runtime');

describe('the bundle', () => {
  test('is within its budget, plain ASCII, and without unsafe sinks', async () => {
    const runtime = await buildRuntime();
    expect(faultsOf(runtime)).toEqual([]);
    expect(runtime).toMatch(/^__WAYMARK_PACK__=>\{[\n -~]*\}$/);
    expect(sizesOf(runtime).raw).toBeGreaterThan(10_000);
    expect(await buildRuntime()).toBe(runtime);
  });

  test('that is too large, or has an unsafe sink, is refused with a reason', () => {
    expect(faultsOf(`/*${'x'.repeat(BUDGET.raw)}*/document.body.innerHTML=''`)).toEqual([
      `The runtime is over budget: raw ${BUDGET.raw + 30} > ${BUDGET.raw}.`,
      'The runtime uses innerHTML, which it must not.',
    ]);
  });
});

describe('no source of the runtime has an unsafe sink', () => {
  test.each(readdirSync(sources))('%s', (file) => {
    expect(unsafeSinks(readFileSync(path.join(sources, file), 'utf8'))).toEqual([]);
  });
});

test.each([
  ['innerHTML', 'a.innerHTML = b'],
  ['innerHTML', `a['innerHTML'] = b`],
  ['outerHTML', 'a.outerHTML=b'],
  ['insertAdjacentHTML', `a.insertAdjacentHTML('beforeend', b)`],
  ['insertHTML', `document.execCommand('insertHTML', false, b)`],
  ['setHTMLUnsafe', 'a.setHTMLUnsafe(b)'],
  ['document.write', 'document.write(b)'],
  ['document.write', 'document.writeln(b)'],
  ['eval', 'eval(b)'],
  ['Function', 'new Function(b)'],
  ['Function', 'Function(b)()'],
  ['timer with text', 'setTimeout("b()", 1)'],
  ['script element', `document.createElement('script')`],
  ['import()', `import('https://example.com/x.js')`],
  ['fetch', `fetch('/x')`],
  ['XMLHttpRequest', 'new XMLHttpRequest()'],
  ['sendBeacon', `navigator.sendBeacon('/x')`],
  ['synthetic paste', `new ClipboardEvent('paste')`],
])('%s is found in: %s', (name, source) => {
  expect(unsafeSinks(source)).toEqual([name]);
});
