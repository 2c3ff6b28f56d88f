/** javascript_tool: runs code in the page's own world. */
import { z } from 'zod';
import type { Protocol } from '../../../chromium/index.ts';
import { CALL_MS, type Call } from '../call.ts';
import { ToolFailure } from '../failure.ts';
import { tabField, timeField } from '../locator.ts';
import { perform } from '../perform.ts';
import type { Tab } from '../tab.ts';
import { defineTool } from '../tool.ts';

const MOST = 8_000;

export const javascriptTool = defineTool({
  name: 'javascript_tool',
  description:
    'Run JavaScript in the page and return its result as JSON. An expression, statements, or a body with return; await may be used.',
  input: z.strictObject({ code: z.string().min(1).max(100_000).describe('The code'), ...tabField, ...timeField }),
  reads: false,
  timeoutMs: CALL_MS,
  run: async ({ code, tabId }, given) => {
    const tab = given.context.tab(tabId);
    return perform(given, tab, 'The code ran.', async (call, after) => {
      after.sent = true;
      const running = run(call, tab, code);
      // It is awaited below; until then a rejection must not count as unhandled.
      running.catch(() => {});
      // A navigation loses the result, and a dialog blocks it.
      const first = await Promise.race([running, after.began]);
      if (first !== 'began' || !(tab.page.openDialog || !tab.page.isAlive))
        return first === 'began' ? await running : first;
      return 'The code is running.';
    });
  },
});

async function run(call: Call, tab: Tab, code: string): Promise<string> {
  let response = await evaluate(call, tab, code, true);
  const fault = response.exceptionDetails?.exception;
  // A top-level "return", and names that an earlier call has declared, need a function around them.
  if (fault?.className === 'SyntaxError') response = await evaluate(call, tab, `(async () => {\n${code}\n})()`, false);
  const { result, exceptionDetails } = response;
  if (exceptionDetails) {
    const said = exceptionDetails.exception?.description?.split('\n    at ')[0] ?? exceptionDetails.text;
    throw new ToolFailure('script_error', `The code failed: ${said}.`);
  }
  const text = await textOf(call, tab, result);
  return text.length > MOST ? `${text.slice(0, MOST)}… (${text.length} characters)` : text;
}

/** `repl`: statements have a value, and top-level await is allowed. */
async function evaluate(
  call: Call,
  tab: Tab,
  expression: string,
  repl: boolean,
): Promise<Protocol.Runtime.EvaluateResponse> {
  try {
    return await tab.page.session.send(
      'Runtime.evaluate',
      { expression, replMode: repl, awaitPromise: true, userGesture: true },
      { signal: call.signal },
    );
  } catch (error) {
    // An endless loop would block the page for ever.
    if (call.signal.aborted) tab.page.session.send('Runtime.terminateExecution').catch(() => {});
    throw error;
  }
}

async function textOf(call: Call, tab: Tab, result: Protocol.Runtime.RemoteObject): Promise<string> {
  const { objectId, type, subtype, description } = result;
  if (objectId === undefined) {
    if (type === 'undefined') return 'undefined';
    return result.unserializableValue ?? JSON.stringify(result.value) ?? String(description);
  }
  if (type === 'function' || type === 'symbol' || subtype === 'node' || subtype === 'error') return description ?? type;
  const answer = await tab.page.session.send(
    'Runtime.callFunctionOn',
    { objectId, functionDeclaration: 'function () { return JSON.stringify(this); }', returnByValue: true },
    { signal: call.signal },
  );
  return typeof answer.result.value === 'string' ? answer.result.value : (description ?? type);
}
