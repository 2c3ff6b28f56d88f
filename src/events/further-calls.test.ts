/** A move that takes a server several calls is one step in every fold of the journal. */
import { describe, expect, it } from 'vitest';
import { answered, called, madeJournal, rewarded, stopped } from '../../test/support/made-journal.ts';
import { agentResult } from './agent-result.ts';
import { isStep, type JournalEvent } from './events.ts';
import { ledgerLines } from './ledger-attempts.ts';
import { rescoreEvents } from './rescore-events.ts';
import { episodeResult } from './result.ts';

const further = (callId: string, step: number) => called(callId, step, undefined, { continues: true, tool: 'helper' });

/** Two moves of the agent: a click by one call, and a typing that takes this server three. */
const events: JournalEvent[] = madeJournal([
  called('c1', 1),
  answered('c1'),
  rewarded('c1', 0.25),
  called('c2', 2, undefined, { tool: 'type' }),
  answered('c2'),
  further('c3', 2),
  answered('c3'),
  further('c4', 2),
  answered('c4'),
  rewarded('c2', 0.5),
  stopped(),
]);

describe('further calls of a move', () => {
  it('are calls, and no steps', () => {
    const calls = events.filter((event) => event.type === 'tool_call');
    expect(calls.map(isStep)).toEqual([true, true, false, false]);
  });

  it('count among the calls and not among the steps of a result, its roles and its metadata', () => {
    const result = episodeResult(events, { artifacts: { eventsJsonl: 'events.jsonl', reportJson: 'report.json' } });
    expect(result).toMatchObject({ steps: 2, toolCalls: 4, lastToolCall: { tool: 'type' } });
    const { total_steps, tool_calls } = agentResult(events, [])?.metadata ?? {};
    expect({ total_steps, tool_calls }).toEqual({ total_steps: 2, tool_calls: 4 });
  });

  it('have no line in the ledger of the trajectory', () => {
    const tools = ledgerLines(events)
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).tool);
    expect(tools).toEqual(['click', 'type']);
  });

  it('are not taken for the call that is scored', () => {
    const evaluated = events.flatMap((event): JournalEvent[] =>
      event.type === 'reward'
        ? [
            { type: 'contract_eval', seq: 0, time: event.time, phase: 'step', verdict: 'fail', callId: event.callId },
            event,
          ]
        : [event],
    );
    const again = rescoreEvents(evaluated.map((event, seq) => ({ ...event, seq }) as JournalEvent));
    expect(again.rewards).toBe(2);
  });
});
