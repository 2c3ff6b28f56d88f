import { describe, expect, it } from 'vitest';
import { documentedEvents, documentedQuestion } from '../../test/journal/documented-events.ts';
import {
  answered,
  called,
  isoAt,
  madeJournal,
  pictured,
  said,
  seen,
  stopped,
} from '../../test/support/made-journal.ts';
import { agentResult } from './agent-result.ts';
import type { JournalEvent } from './events.ts';
import type { Grade } from './grade.ts';
import { type AttemptMetadata, metadataSchema } from './metadata-schema.ts';

function metadataOf(events: readonly JournalEvent[], grades: readonly Grade[] = []): AttemptMetadata {
  const result = agentResult(events, grades);
  return metadataSchema.parse(result?.metadata);
}

const usage = (role: string, more: object = {}) => ({
  type: 'usage' as const,
  role,
  model: `model-of-${role}`,
  ...more,
});

describe('metadata of an attempt', () => {
  it('counts steps, tool calls, pictures tried and pictures stored: four numbers (trap 5)', () => {
    const metadata = metadataOf(
      madeJournal([
        called('c0', 0, undefined, { by: 'harness' }),
        answered('c0'),
        pictured(undefined, 1),
        called('c1', 1),
        answered('c1'),
        pictured('c1', 2),
        called('c2', 2),
        answered('c2'),
        { type: 'screenshot', callId: 'c2', ok: false, reason: 'a dialog is open (alert)' },
        called('c3', 0, undefined, { look: true }),
        answered('c3'),
        called('c4', 3),
        answered('c4'),
        // The same picture again is the same file.
        pictured('c4', 2),
        stopped(),
      ]),
    );
    expect([metadata.total_steps, metadata.tool_calls, metadata.screenshots]).toEqual([
      3,
      5,
      { attempted: 4, written: 2 },
    ]);
  });

  it('sums tokens and cost by role and in all; what one call does not know, its sums do not know', () => {
    const known = {
      inputTokens: 10,
      cachedInputTokens: 1,
      outputTokens: 2,
      reasoningTokens: 0,
      costUsd: 0.1,
      priceTable: 'p 1',
    };
    const { token_usage, cost } = metadataOf(
      madeJournal(
        [
          usage('orchestrator', known),
          usage('orchestrator', { ...known, costUsd: 0.2 }),
          { ...usage('executor', { ...known, costUsd: undefined }), executorId: 'e1' },
          usage('grader', { inputTokens: 1000, outputTokens: 1000, costUsd: 9 }),
          stopped(),
        ].map(({ ...event }) => JSON.parse(JSON.stringify(event))),
      ),
    );
    expect(token_usage).toMatchObject({
      calls: 3,
      models: ['model-of-orchestrator', 'model-of-executor'],
      input_tokens: 30,
      output_tokens: 6,
      total_tokens: 36,
      by_role: {
        orchestrator: { calls: 2, input_tokens: 20, cached_input_tokens: 2, output_tokens: 4 },
        executor: { calls: 1, input_tokens: 10 },
        grader: { calls: 1, input_tokens: 1000, cached_input_tokens: null },
      },
    });
    expect(cost).toEqual({ usd: null, price_table: 'p 1', by_role: { orchestrator: 0.3, executor: null, grader: 9 } });
  });

  it('has neither tokens nor cost where no model was called', () => {
    expect(metadataOf(madeJournal([stopped()]))).not.toHaveProperty('token_usage');
    expect(metadataOf(madeJournal([stopped()]))).not.toHaveProperty('cost');
  });

  it('lists errors and warnings by source', () => {
    const events = madeJournal([
      called('c1', 1),
      answered('c1', undefined, { isError: true, errorKind: 'element_not_found', text: 'There is no such element.' }),
      said({ type: 'error', content: 'The model answered with nothing.', errorCode: 'empty_reply' }),
      ...['message_logging', 'cleanup', 'ledger', 'server', 'agent_execution', 'elsewhere'].map((source) => ({
        type: 'warning' as const,
        source,
        message: `of ${source}`,
      })),
      stopped({ status: 'adapter_error', reason: 'The model could not be asked.' }),
    ]);
    const { errors, warnings } = metadataOf(events);
    expect(errors.map(({ source, message, timestamp }) => [source, message, timestamp])).toEqual([
      ['mcp_tool', 'There is no such element.', isoAt(2)],
      ['agent_execution', 'The model answered with nothing.', isoAt(3)],
      ['agent_execution', 'The model could not be asked.', isoAt(10)],
    ]);
    expect(warnings.map(({ source }) => source)).toEqual([
      'message_logging',
      'cleanup',
      'message_logging',
      'mcp_tool',
      'agent_execution',
      'unknown',
    ]);
  });

  it('names a grader that could not judge as the source, though the status is the agent’s', () => {
    const { errors, grader_results } = metadataOf(
      madeJournal([stopped({ cause: 'grader', reason: 'The judge is gone.' })]),
    );
    expect(errors).toMatchObject([{ source: 'grader', message: 'The judge is gone.' }]);
    expect(grader_results['contract']).toMatchObject({ verdict: 'error', score: null });
  });

  it('has the agent’s configuration beside its kind', () => {
    const config = { model: 'openai:gpt-5-mini', keyEnv: 'OPENAI_API_KEY', kind: 'not this' };
    expect(metadataOf(madeJournal([stopped()], { kind: 'single', config })).agent_config).toEqual({
      model: 'openai:gpt-5-mini',
      keyEnv: 'OPENAI_API_KEY',
      kind: 'single',
    });
    expect(metadataOf(madeJournal([stopped()], { kind: 'single', config: 'fast' })).agent_config).toEqual({
      config: 'fast',
      kind: 'single',
    });
  });

  it('has the newest grade of each grader beside the contract', () => {
    const grade = (grader: string, round: number, verdict: Grade['verdict']): Grade => ({
      grader,
      round,
      verdict,
      score: verdict === 'pass' ? 1 : null,
      details: { round },
      at: 0,
    });
    const grades = [grade('judge', 2, 'pass'), grade('judge', 1, 'error'), grade('trajectory', 1, 'skipped')];
    expect(metadataOf(madeJournal([stopped()]), grades).grader_results).toMatchObject({
      contract: { verdict: 'fail', score: 0 },
      judge: { grader: 'judge', verdict: 'pass', score: 1, reasoning: '', details: { round: 2 }, artifacts: [] },
      trajectory: { verdict: 'skipped', score: null },
    });
  });

  it('is there for the documented journals; a question has its prompt, its answer and no contract', () => {
    expect(metadataOf(documentedEvents).agent_config).toMatchObject({ kind: 'scripted' });
    expect(metadataOf(documentedQuestion)).toMatchObject({
      query: 'What is 1 + 1?',
      final_answer: 'It is',
      termination_reason: 'error',
      errors: [{ source: 'agent_execution', details: { code: 'response_timeout' } }],
      grader_results: {},
    });
    const done = documentedQuestion.map((event) =>
      event.type === 'stop'
        ? { seq: 4, time: event.time, type: event.type, status: 'answered' as const, reason: 'Yes.' }
        : event,
    );
    expect(metadataOf(done)).toMatchObject({ termination_reason: 'completed', errors: [] });
  });

  it('comes with messages and the final answer as one result; nothing begun gives none', () => {
    const result = agentResult(madeJournal([seen('https://x.test/'), stopped({ answer: '42' })]));
    expect(result?.finalAnswer).toBe('42');
    expect(result?.metadata.final_answer).toBe('42');
    expect(result?.messages.at(-1)).toMatchObject({ type: 'assistant', content: '42' });
    expect(agentResult([])).toBeUndefined();
  });
});
