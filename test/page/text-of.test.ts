import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Chat, Stage } from './stage.ts';

// The real function in a document, because elements exist only in a browser.
const source = stripTypeScriptTypes(
  readFileSync(new URL('../../page/runtime/text-of.ts', import.meta.url), 'utf8'),
).replace('export function', 'function');
let stage: Stage;
let chat: Chat;
beforeAll(async () => {
  stage = await Stage.open(1);
  chat = await stage.chat('custom');
});
afterAll(async () => {
  await chat[Symbol.asyncDispose]();
  await stage[Symbol.asyncDispose]();
});

test.each([
  ['paragraphs', '<p>A</p><p>B</p>', 'A\n\nB'],
  ['a list', '<ul><li>one</li> <li>two</li></ul>', 'one\n\ntwo'],
  ['words in pieces', '<p>The <b>an</b>swer\n   is <i>B</i>.</p>', 'The answer is B.'],
  ['line breaks', 'a<br>b', 'a\nb'],
  ['code', '<pre><button>Copy</button><code>if x:\n    y = 1\n</code></pre>', 'if x:\n    y = 1'],
  ['a table', '<table><tr><td>1</td><td>2</td></tr><tr><td>3</td><td>4</td></tr></table>', '1\t2\n\n3\t4'],
  ['what is hidden', '<p style="visibility:hidden">still</p>', 'still'],
  ['what is no text', '<style>p{}</style><script>1</script><svg><title>x</title></svg>y', 'y'],
  [
    'a formula',
    '<p>x is <span class="katex"><span class="katex-mathml"><math><semantics><mn>4</mn><annotation>\\boxed{4}</annotation></semantics></math></span><span class="katex-html" aria-hidden="true">4</span></span></p>',
    'x is $\\boxed{4}$',
  ],
  ['nothing', '<p>  </p>', ''],
])('%s', async (_name, html, text) => {
  const found = await chat.evaluate<string>(`(() => {
    ${source}
    const element = document.createElement('div');
    element.innerHTML = ${JSON.stringify(html)};
    return textOf([element]);
  })()`);
  expect(found).toBe(text);
});
