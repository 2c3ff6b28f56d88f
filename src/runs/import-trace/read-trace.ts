/** Which format a trace has, and what is in it. */
import { findingsOf, WaymarkError } from '../../errors/index.ts';
import { aiSdkPartSchema, readAiSdk } from './read-ai-sdk.ts';
import { atifSchema, readAtif } from './read-atif.ts';
import type { Trace } from './trace-part.ts';

/** @param name of the file, for messages. */
export function readTrace(name: string, text: string): Trace {
  const whole = jsonOf(text);
  if (typeof Object(whole).schema_version === 'string') {
    const { data, error } = atifSchema.safeParse(whole);
    if (!data) throw badTrace(name, `it is no ATIF trajectory: ${findingsOf(error).slice(0, 5).join('; ')}`);
    return readAtif(data);
  }
  const values = Array.isArray(whole) ? whole : linesOf(name, text);
  const trace = readAiSdk(values.map((value, index) => partOf(name, value, index + 1)));
  if (trace.parts.length === 0) throw badTrace(name, 'it has no text, no call and no result of an agent');
  return trace;
}

/** Undefined where the text is not one JSON value. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** JSON lines, or server-sent events. A last line without a newline may be torn, and is skipped then. */
function linesOf(name: string, text: string): unknown[] {
  const lines = text.split('\n');
  return lines.flatMap((line, index) => {
    const json = line.replace(/^data: ?/, '').trim();
    // Other fields of server-sent events, their comments, and the mark of their end.
    if (json === '' || json === '[DONE]' || /^(?:event|id|retry)?:/.test(json)) return [];
    const value = jsonOf(json);
    if (value !== undefined) return [value];
    if (index === lines.length - 1 && index > 0) return [];
    throw badTrace(name, `line ${index + 1} is not JSON`);
  });
}

function partOf(name: string, value: unknown, number: number) {
  const { data } = aiSdkPartSchema.safeParse(value);
  if (data) return data;
  throw badTrace(name, `entry ${number} has no type: it is no event of the AI SDK`);
}

export function badTrace(name: string, why: string): WaymarkError {
  return new WaymarkError({
    code: 'usage_bad_trace',
    message: `${name} can't be imported: ${why}.`,
    hint: 'Give an ATIF trajectory (one JSON object), or stream events of the AI SDK (JSON lines, an array, or server-sent events).',
  });
}
