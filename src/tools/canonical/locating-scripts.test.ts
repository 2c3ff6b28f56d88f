import { expect, test } from 'vitest';
import { BOX_OF, waitFor } from './in-page.ts';
import { isLocating, LOCAL_NAME } from './locating-scripts.ts';
import { boxOf, findBy } from './openchrome-find.ts';
import { oneExpression } from './openchrome-script.ts';
import { pickBySelector } from './pick-by-selector.ts';

test.each([
  ['browser_evaluate', { function: BOX_OF, target: 'e1' }],
  ['browser_evaluate', { function: LOCAL_NAME, target: '#outer' }],
  ['evaluate_script', { function: BOX_OF, args: ['1_2'] }],
  ['evaluate_script', { function: pickBySelector('#a "b" >>> c', 2), args: [] }],
  ['browser_evaluate', { function: waitFor({ text: 'Say "hi"' }, 1_000) }],
  ['evaluate', { page: 1, code: `(${waitFor({ selector: '#a', gone: true }, 500)})()` }],
  ['evaluate', { page: 1, expression: boxOf(findBy({ selector: '#a' })) }],
  ['javascript_tool', { code: oneExpression(boxOf(findBy({ role: 'button', name: 'Say "hi"; return' }))) }],
])('%s with a script of ours only looks', (tool, args) => {
  expect(isLocating(tool, args)).toBe(true);
});

test.each([
  ['browser_evaluate', { function: '() => document.forms[0].submit()' }],
  ['browser_evaluate', { function: `${BOX_OF}; document.forms[0].submit()` }],
  ['evaluate_script', { function: pickBySelector('#a', 2).replace('"#a"', '(document.forms[0].submit(), "#a")') }],
  ['evaluate_script', { function: pickBySelector('#a', 2).replace('2 - 1', 'alert(1) - 1') }],
  ['javascript_tool', { code: oneExpression(boxOf('document.forms[0].submit()')) }],
  ['javascript_tool', { code: `${oneExpression(boxOf(findBy({ text: 'a' })))}, document.forms[0].submit()` }],
  ['javascript_tool', { code: 'await eval(decodeURIComponent("%"))' }],
  ['javascript_tool', { function: BOX_OF }],
  ['browser_evaluate', { function: waitFor({ text: 'a' }, 1_000).replace('+ 1000', '+ alert(1)') }],
  ['evaluate_script', { function: BOX_OF, expression: 'document.forms[0].submit()' }],
  ['browser_click', { function: BOX_OF }],
  ['browser_evaluate', {}],
])('%s with anything else may act: %j', (tool, args) => {
  expect(isLocating(tool, args)).toBe(false);
});
