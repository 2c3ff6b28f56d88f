/** Where a page of a list ends, as one word for the next request. */
import { z } from 'zod';
import { WaymarkError } from '../../errors/index.ts';
import type { AnyRunSort, Position } from './any-run.ts';

const positionSchema = z.tuple([z.string(), z.union([z.string(), z.number()]).nullable(), z.string()]);
const NUMBERS: ReadonlySet<AnyRunSort> = new Set(['created', 'rate', 'items', 'cost']);

export function positionText(sort: AnyRunSort, { value, id }: Position): string {
  return Buffer.from(JSON.stringify([sort, value, id])).toString('base64url');
}

/** @throws WaymarkError request_invalid where it is of another list or order. */
export function readPosition(sort: AnyRunSort, text: string): Position {
  const parsed = positionSchema.safeParse(jsonOf(Buffer.from(text, 'base64url').toString('utf8')));
  const [of, value, id] = parsed.data ?? [];
  const isOfType = value === null || (typeof value === 'number') === NUMBERS.has(sort);
  if (of !== sort || value === undefined || id === undefined || !isOfType)
    throw new WaymarkError({
      code: 'request_invalid',
      message: 'The page that was asked for is not one of this list in this order.',
      hint: 'Begin with the first page, and give `after` as the answer before named it.',
    });
  return { value, id };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
