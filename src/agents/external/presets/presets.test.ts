import { describe, expect, test } from 'vitest';
import { OutputReader } from '../read-output.ts';
import { PRESETS } from './index.ts';

/** What an agent's output says at its exit; the lines are as the agents print them. */
function readingOf(preset: string, lines: readonly object[], code = 0) {
  const errors: string[] = [];
  const reader = new OutputReader(PRESETS[preset], (error) => errors.push(error));
  for (const line of lines) reader.onLine(JSON.stringify(line));
  return { ...reader.endedWith(code), errors };
}

const LOOP = 'The agent stopped itself, because it saw a loop in its own calls';
const TURNS = 'The agent used up its own limit of turns';

describe('a limit of the agent’s own is no answer and no error', () => {
  const use = { type: 'tool_use', tool_name: 'mcp_browser_interact', tool_id: '1', parameters: {} };
  const loop = { type: 'error', severity: 'warning', message: 'Loop detected, stopping execution' };
  const success = { type: 'result', status: 'success', stats: {} };

  test('gemini detects a loop, and exits with 0', () => {
    expect(readingOf('gemini', [use, loop, success])).toEqual({ exhausted: LOOP, errors: [] });
    const said = { type: 'message', role: 'assistant', content: 'I try again.', delta: true };
    expect(readingOf('gemini', [use, said, loop, success])).toEqual({
      answer: 'I try again.',
      exhausted: LOOP,
      errors: [],
    });
    // It went on: what counts is how it ended.
    expect(readingOf('gemini', [loop, use, said, success])).toEqual({ answer: 'I try again.', errors: [] });
  });

  test('gemini uses up its turns', () => {
    const turns = { type: 'error', severity: 'error', message: 'Maximum session turns exceeded' };
    expect(readingOf('gemini', [use, turns])).toEqual({ exhausted: TURNS, errors: [] });
    expect(readingOf('gemini', [use], 53)).toEqual({ exhausted: TURNS, errors: [] });
  });

  test('qwen detects a loop, or uses up its turns or calls', () => {
    const message =
      'Loop detection halted the run (consecutive_identical_tool_calls: the same call). This is an always-on guard.';
    const halted = { type: 'result', subtype: 'error_during_execution', is_error: true, error: { message } };
    expect(readingOf('qwen', [halted], 1)).toEqual({ exhausted: LOOP, errors: [] });
    expect(readingOf('qwen', [], 53)).toEqual({ exhausted: TURNS, errors: [] });
    expect(readingOf('qwen', [], 55)).toMatchObject({ exhausted: expect.stringContaining('tool calls or time') });
  });

  test('claude uses up its turns or its money', () => {
    const ended = (subtype: string) => ({ type: 'result', subtype, is_error: true });
    expect(readingOf('claude', [ended('error_max_turns')])).toEqual({ exhausted: TURNS, errors: [] });
    expect(readingOf('claude', [ended('error_max_budget_usd')])).toMatchObject({
      exhausted: 'The agent used up its own limit of cost',
    });
  });

  test('any other error stays one', () => {
    const failed = { type: 'result', status: 'error', error: { type: 'Error', message: 'fetch failed' } };
    expect(readingOf('gemini', [failed], 1)).toEqual({ error: 'fetch failed', errors: ['fetch failed'] });
    const other = { type: 'result', subtype: 'error_during_execution', is_error: true, error: { message: 'Oh.' } };
    expect(readingOf('qwen', [other], 1)).toEqual({ error: 'Oh.', errors: ['Oh.'] });
  });
});
