/** Values of the page's own script, for contracts that ask for them. The page can make them up; contracts say so. */
import { type Facts, MAX_SCRIPT_VALUE } from '../../contracts/index.ts';
import { messageOf } from '../../errors/index.ts';
import type { Protocol } from '../cdp/protocol.ts';
import type { Session } from '../cdp/session.ts';

export type ScriptFacts = Pick<Facts, 'script' | 'unavailable'>;

/** What has no value in time, throws, or is too long says why in `unavailable`. */
export async function readScripts(
  session: Session,
  expressions: readonly string[],
  how: { timeoutMs: number; signal?: AbortSignal | undefined },
): Promise<ScriptFacts> {
  const script: NonNullable<Facts['script']> = {};
  const unavailable: Record<string, string> = {};
  const read = async (expression: string): Promise<void> => {
    try {
      // The browser ends an expression that runs longer, so that it does not hold up the page.
      const options = { expression, returnByValue: true, timeout: how.timeoutMs, disableBreaks: true };
      script[expression] = jsonOf(await session.send('Runtime.evaluate', options, how));
    } catch (error) {
      unavailable[`script:${expression}`] = messageOf(error);
    }
  };
  await Promise.all(expressions.map(read));
  return { script, ...(Object.keys(unavailable).length > 0 ? { unavailable } : {}) };
}

/** What JSON has no form for, such as undefined and NaN, is null. */
function jsonOf({ result, exceptionDetails }: Protocol.Runtime.EvaluateResponse): NonNullable<Facts['script']>[string] {
  if (exceptionDetails) {
    const thrown = exceptionDetails.exception?.description ?? exceptionDetails.text;
    throw new Error(`The expression threw: ${thrown.split('\n')[0]?.slice(0, 500)}`);
  }
  const { value = null } = result;
  const { length } = JSON.stringify(value);
  if (length > MAX_SCRIPT_VALUE)
    throw new Error(`The value has ${length} characters of JSON, and at most ${MAX_SCRIPT_VALUE} are kept.`);
  return value;
}
