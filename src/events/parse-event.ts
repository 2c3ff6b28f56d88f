/**
 * Reading is patient: fields that we don't know are kept, types that we don't know are kept aside.
 * What we do know must be as we know it, or numbers would be made from nonsense.
 */
import { findingsOf } from '../errors/index.ts';
import { type EventType, eventSchemas, isEventType, type JournalEvent, type UnknownEvent } from './events.ts';
import { quickCheck } from './quick-check.ts';

export type Parsed = { ok: true; event: JournalEvent | UnknownEvent } | { ok: false; problem: string };

const checks = Object.fromEntries(
  Object.entries(eventSchemas).map(([type, schema]) => [type, quickCheck(schema)]),
) as Record<EventType, (value: unknown) => boolean>;

/** One line's value. */
export function parseEvent(value: unknown): Parsed {
  if (!isRecord(value)) return { ok: false, problem: 'it is no event' };
  const { seq, time, type } = value;
  if (typeof seq !== 'number' || typeof time !== 'number' || typeof type !== 'string') {
    return { ok: false, problem: 'it has no seq, time and type' };
  }
  if (!isEventType(type)) return { ok: true, event: { type: 'unknown', seq, time, event: value } };
  if (checks[type](value)) return { ok: true, event: value as JournalEvent };
  const { error } = eventSchemas[type].safeParse(value);
  const wrong = error?.issues.filter(({ code }) => code !== 'unrecognized_keys') ?? [];
  // The value itself, not zod's copy: fields that we don't know are in it.
  return wrong.length === 0
    ? { ok: true, event: value as JournalEvent }
    : { ok: false, problem: `it is not a valid ${type} event: ${findingsOf({ issues: wrong }).join('; ')}` };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
