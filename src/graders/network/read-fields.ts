/** The fields of what was sent or received, by name, by JSONPath, or by a pattern over the names. */
import { compile, type JSONPathQuery, type JSONValue } from 'json-p3';
import { compileTextPattern } from '../../cases/index.ts';
import { messageOf, WaymarkError } from '../../errors/index.ts';
import { parsed } from './compare-value.ts';

/** Undefined where there is no such field. */
export type FieldReader = (content: unknown) => unknown;

/**
 * Refuses a key that can't be used.
 *
 * @example
 * fieldReader('$.note.text')({ note: { text: 'Thanks' } }); // 'Thanks'
 * fieldReader('$.^file_(path|name)$')({ file_name: 'LICENSE' }); // 'LICENSE'
 */
export function fieldReader(key: string): FieldReader {
  if (key.startsWith('$.^') && key.endsWith('$')) return byPattern(key);
  if (key.startsWith('$')) return byPath(key);
  return (content) => (isFields(content) && Object.hasOwn(content, key) ? content[key] : undefined);
}

function byPattern(key: string): FieldReader {
  const compiled = compileTextPattern(key.slice(2));
  if (!compiled.ok) throw badKey(key, compiled.problem);
  return (content) => {
    if (!isFields(content)) return undefined;
    const found = Object.entries(content).filter(([name]) => compiled.pattern.test(name) === true);
    return oneOrList(found.map(([, value]) => value));
  };
}

function byPath(key: string): FieldReader {
  let query: JSONPathQuery;
  try {
    query = compile(key);
  } catch (error) {
    throw badKey(key, messageOf(error));
  }
  // A filter may find any number of values, so that its result is a list even where it is one.
  const isFilter = key.includes('[?');
  return (content) => {
    const here = query.query(content as JSONValue).values();
    const found = here.length > 0 ? here : query.query(unfolded(content) as JSONValue).values();
    return isFilter && found.length > 0 ? found : oneOrList(found);
  };
}

function oneOrList(found: readonly unknown[]): unknown {
  return found.length > 1 ? found : found[0];
}

/** Fields that hold JSON as text are read as that JSON: forms send lists and objects in this way. */
function unfolded(content: unknown): unknown {
  if (Array.isArray(content)) return content.map(unfolded);
  if (!isFields(content)) return content;
  return Object.fromEntries(
    Object.entries(content).map(([name, value]) => [name, typeof value === 'string' ? parsed(value) : unfolded(value)]),
  );
}

function isFields(content: unknown): content is Record<string, unknown> {
  return typeof content === 'object' && content !== null && !Array.isArray(content);
}

function badKey(key: string, why: string): WaymarkError {
  return new WaymarkError({
    code: 'usage_bad_value',
    message: `A rule of the grader "network" names the field ${key}, which cannot be used: ${why.replace(/\.$/, '')}.`,
    hint: 'A name that begins with $ is a JSONPath ($.note.text), or a pattern over names ($.^file_.*$).',
  });
}
