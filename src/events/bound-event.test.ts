import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { documentedEvents } from '../../test/journal/documented-events.ts';
import { boundEvent } from './bound-event.ts';
import { type EventOf, eventSchemas, type JournalEvent } from './events.ts';
import { boundList, boundText, JOURNAL_LIMITS } from './limits.ts';

const LIMIT = JOURNAL_LIMITS.eventBytes;
const sample = <T extends JournalEvent['type']>(type: T): EventOf<T> => {
  const event = documentedEvents.find((candidate) => candidate.type === type);
  if (event === undefined) throw new Error(`the page has no ${type}`);
  return event as EventOf<T>;
};

function bounded(event: JournalEvent): JournalEvent {
  const { event: cut, line } = boundEvent(event, LIMIT);
  expect(Buffer.byteLength(line)).toBeLessThanOrEqual(LIMIT);
  expect(JSON.parse(line)).toEqual(cut);
  expect(eventSchemas[cut.type].safeParse(cut).error?.issues).toBeUndefined();
  return cut;
}

describe('boundEvent', () => {
  it('leaves an event that fits as it is', () => {
    for (const event of documentedEvents) expect(bounded(event)).toBe(event);
  });

  it('cuts long strings with a note, and says which fields', () => {
    const cut = bounded({ ...sample('tool_result'), text: 'x'.repeat(3_000_000) });
    expect(cut).toMatchObject({ cut: { bytes: expect.any(Number), fields: ['text'] }, digest: '5f2b0a91' });
    expect(cut.type === 'tool_result' && cut.text).toMatch(
      /^x{60000,}… \(cut by the journal from 3000000 characters\)$/,
    );
  });

  it('cuts lists and records of many', () => {
    const args = { list: Array.from({ length: 400_000 }, (_, index) => index) };
    const regions = Object.fromEntries(
      Array.from({ length: 100_000 }, (_, index) => [`body/div.${index}`, '0123456789abcdef']),
    );
    expect(bounded({ ...sample('tool_call'), arguments: args })).toMatchObject({
      tool: 'navigate',
      cut: { fields: ['arguments'] },
    });
    expect(bounded({ ...sample('evidence'), regions })).toMatchObject({ page: 'ok', cut: { fields: ['regions'] } });
  });

  it('leaves out what is judged rather than shorten it', () => {
    const evidence = sample('evidence');
    const network = Array.from({ length: 2000 }, (_, ts) => ({
      url: `https://x.example/${'y'.repeat(1000)}`,
      status: 200,
      ts,
    }));
    const cut = bounded({ ...evidence, facts: { network } });
    expect(cut).toMatchObject({ network: evidence.network, cut: { fields: ['facts'] } });
    expect(cut).not.toHaveProperty('facts');
  });

  it('takes what is too deep for the stack', () => {
    let deep: unknown = 'bottom';
    for (let depth = 0; depth < 100_000; depth++) deep = [deep];
    const cut = bounded({ ...sample('tool_call'), arguments: deep });
    expect(cut.cut).toEqual({ fields: ['arguments'] });
    expect(JSON.stringify(cut)).toContain('nested deeper than 100');
  });

  it('leaves a field out where nothing else helps', () => {
    const level = (depth: number): unknown =>
      depth === 0 ? 'leaf' : Array.from({ length: 60 }, () => level(depth - 1));
    const cut = bounded({ ...sample('tool_call'), arguments: level(3), canonical: { action: 'click' } });
    expect(cut).toMatchObject({ canonical: { action: 'click' }, cut: { fields: ['arguments'] } });
    expect(cut).not.toHaveProperty('arguments');
  });

  it('keeps any event one, however small the limit that it can meet', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...documentedEvents),
        fc.jsonValue(),
        fc.integer({ min: 1200, max: 4000 }),
        (event, value, limit) => {
          const wide =
            event.type === 'tool_call' ? { ...event, arguments: value, canonical: 'x'.repeat(limit) } : event;
          const { event: cut, line } = boundEvent(wide, limit);
          expect(Buffer.byteLength(line)).toBeLessThanOrEqual(limit);
          expect(eventSchemas[cut.type].safeParse(cut).success).toBe(true);
        },
      ),
    );
  });
});

describe('boundText and boundList', () => {
  it('keep the beginning of a text, and the newest of a list', () => {
    expect(boundText('Thank you')).toEqual({ text: 'Thank you', textLength: 9 });
    expect(boundText('Thank you', 5)).toEqual({ text: 'Thank', textLength: 9 });
    expect(boundList(['a', 'b', 'c'], 2)).toEqual({ kept: ['b', 'c'], dropped: 1 });
    expect(boundList(['a'], 2)).toEqual({ kept: ['a'], dropped: 0 });
  });

  it('do not cut a character in two', () => {
    expect(boundText('ab😀', 3)).toEqual({ text: 'ab', textLength: 4 });
  });
});
