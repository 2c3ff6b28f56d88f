import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { documentedEvents, documentedQuestion } from '../../test/journal/documented-events.ts';
import { eventSchemas, type JournalEvent } from './events.ts';
import { parseEvent } from './parse-event.ts';
import { quickCheck } from './quick-check.ts';

const checks = Object.fromEntries(Object.entries(eventSchemas).map(([type, schema]) => [type, quickCheck(schema)]));
const isValid = (event: JournalEvent): boolean | undefined => checks[event.type]?.(event);
const samples = [...documentedEvents, ...documentedQuestion];

/** Every place in a value, as the way to it. */
function places(value: unknown, way: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [way];
  return [way, ...Object.entries(value).flatMap(([name, inner]) => places(inner, [...way, name]))];
}

function changedAt(value: unknown, [name, ...way]: string[], by: (old: unknown) => unknown): unknown {
  if (name === undefined) return by(value);
  const copy = structuredClone(value) as Record<string, unknown>;
  const changed = changedAt(copy[name], way, by);
  if (changed === REMOVED) delete copy[name];
  else copy[name] = changed;
  return copy;
}
const REMOVED = Symbol('removed');

describe('quickCheck', () => {
  it('knows every documented event by itself, so that zod is not asked', () => {
    expect(samples.filter((event) => !isValid(event))).toEqual([]);
  });

  it('takes nothing that zod does not take, but for fields that no schema names', () => {
    const other = fc.constantFrom(REMOVED, undefined, null, -1, 0.5, '', 'x', true, [], {}, [null], Number.NaN, 1e300);
    const damaged = fc
      .constantFrom(...samples)
      .chain((event) =>
        fc
          .tuple(fc.constantFrom(...places(event).filter((way) => way.length > 0)), other)
          .map(([way, value]) => changedAt(event, way, () => value) as JournalEvent),
      );
    fc.assert(
      fc.property(damaged, (event) => {
        const schema = eventSchemas[event.type as keyof typeof eventSchemas];
        if (!schema || !isValid(event)) return;
        const issues = schema.safeParse(event).error?.issues ?? [];
        expect(issues.filter(({ code }) => code !== 'unrecognized_keys')).toEqual([]);
      }),
      { numRuns: 3_000 },
    );
  });

  it('passes over fields that are not named, as reading does', () => {
    const later = samples.map((event) => Object.assign({ later: { deep: [1] } }, event));
    expect(later.map((event) => parseEvent(event))).toEqual(later.map((event) => ({ ok: true, event })));
  });

  it.each<[string, z.ZodType, unknown[], unknown[]]>([
    ['a whole number', z.int().min(0).max(9), [0, 9], [-1, 10, 0.5, '1', null, undefined, Number.NaN]],
    ['a number', z.number().gt(0).lt(1), [0.5], [0, 1, Number.POSITIVE_INFINITY, '0.5']],
    ['a text with a length', z.string().min(1).max(2), ['a', 'ab'], ['', 'abc', 1, null]],
    ['a text with a pattern', z.string().regex(/^a/), ['a'], ['b', 1]],
    ['one of several', z.enum(['a', 'b']), ['a'], ['c', 0]],
    [
      'a field that may be left out',
      z.strictObject({ a: z.string().optional() }),
      [{}, { a: '' }],
      [{ a: 1 }, [], null],
    ],
    ['a field that may not be undefined', z.object({ a: z.string().exactOptional() }), [{}], [{ a: undefined }]],
    ['a field of any kind', z.object({ a: z.unknown() }), [{ a: null }], []],
    ['a record', z.record(z.string(), z.int()), [{}, { a: 1 }], [{ a: 'x' }, [1], null]],
    ['a list', z.array(z.int()).min(1), [[1]], [[], ['x'], {}]],
    ['one type or another', z.union([z.int(), z.null()]), [1, null], ['x', undefined]],
    ['what has a rule of its own', z.string().refine((text) => text === 'a'), ['a'], ['b']],
    ['what is changed while it is read', z.coerce.number(), [1, '1'], ['x']],
  ])('%s', (_, schema, valid, invalid) => {
    const check = quickCheck(schema);
    for (const value of valid) expect(check(value), String(value)).toBe(true);
    for (const value of invalid) expect(check(value), String(value)).toBe(false);
  });
});
