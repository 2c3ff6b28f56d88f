import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { JudgeProblem } from '../../src/graders/index.ts';
import { startTestModel } from '../../src/test-model/index.ts';
import { startModelServer } from '../support/model-server.ts';
import { PNG } from '../test-model/open-kind.ts';
import { setUpJudge } from './judge-setup.ts';

const server = await startModelServer();
afterAll(() => server[Symbol.asyncDispose]());
beforeEach(() => server.reset());

const scripted = (model: string) => ({ kind: 'openai-compatible', model, baseUrl: server.baseUrl }) as const;
const picture = { key: 'screenshots/002.png', data: new Uint8Array(PNG), mediaType: 'image/png' };
const properties = { score: { type: 'integer' as const }, reason: { type: 'string' as const } };
const schema = { type: 'object' as const, properties, required: ['score', 'reason'], additionalProperties: false };
const FORMAT = { name: 'verdict', schema };
const request = { instructions: 'You grade.', parts: ['Look:', picture, 'Well?'], format: FORMAT };
const { signal } = new AbortController();

describe('a judge', () => {
  test('is asked at temperature 0, and the request is kept with its reply, without the bytes of pictures', async () => {
    const { judge, kept } = await setUpJudge(scripted('judge-1'));
    expect(await judge.ask(request, signal)).toBe('{"score":1,"reason":"It names what is needed."}');
    const [call] = server.calls;
    expect([call?.temperature, call?.hasFormat, call?.maxTokens]).toEqual([0, true, 8000]);
    expect(call?.messages.at(-1)?.images).toHaveLength(1);
    expect([...kept.keys()]).toEqual(['judge-001.json']);
    expect(JSON.parse(kept.get('judge-001.json') ?? '')).toMatchObject({
      model: 'openai-compatible:judge-1',
      promptHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      parameters: { temperature: 0, maxOutputTokens: 8000, format: 'verdict' },
      leftOut: [],
      instructions: 'You grade.',
      parts: [
        { text: 'Look:' },
        { picture: 'screenshots/002.png', sha256: expect.stringMatching(/^[0-9a-f]{64}$/), mediaType: 'image/png' },
        { text: 'Well?' },
      ],
      reply: { text: '{"score":1,"reason":"It names what is needed."}', finishReason: 'stop', attempts: 1 },
    });
    expect(kept.get('judge-001.json')).not.toContain(PNG.toString('base64').slice(0, 30));
  });

  test.each([
    ['response_format', 'format'],
    ['temperature', 'temperature'],
  ])('leaves out %s where the model refuses it, and does not send it again', async (parameter, name) => {
    server.answer('picky', ({ body }) =>
      parameter in body
        ? { status: 400, type: 'invalid_request_error', text: `Unsupported parameter: '${parameter}'.` }
        : { text: 'fine' },
    );
    const { judge, kept } = await setUpJudge(scripted('picky'));
    expect([await judge.ask(request, signal), await judge.ask(request, signal)]).toEqual(['fine', 'fine']);
    expect(server.count('picky')).toBe(3);
    expect(judge.cost.calls).toBe(3);
    expect(JSON.parse(kept.get('judge-002.json') ?? '')).toMatchObject({ leftOut: [name] });
  });

  test('counts its calls, tokens and cost for each grade', async () => {
    server.script('gpt-4o-mini', [{ text: 'fine', tokens: { input: 1_000_000, output: 1_000 } }]);
    const openai = { ...scripted('gpt-4o-mini'), kind: 'openai' } as const;
    const { judge, another, budget } = await setUpJudge(openai);
    expect(judge.cost).toEqual({ calls: 0 });
    await judge.ask(request, signal);
    await judge.ask(request, signal);
    const once = 0.1506;
    expect(judge.cost).toMatchObject({ calls: 2, inputTokens: 2_000_000, outputTokens: 2_000 });
    expect(judge.cost.usd).toBeCloseTo(2 * once, 6);
    expect(another().cost).toEqual({ calls: 0 });
    expect(budget.used.calls).toBe(2);
    expect(budget.used.usd).toBeCloseTo(2 * once, 6);
  });

  test('does not know the cost of a model without a price', async () => {
    server.script('mute', [{ text: 'fine', tokens: { input: 7, output: 1 } }]);
    const { judge } = await setUpJudge(scripted('mute'));
    await judge.ask(request, signal);
    expect(judge.cost).toEqual({ calls: 1, inputTokens: 7, outputTokens: 1 });
  });

  test('stops when the money is used up', async () => {
    server.script('gpt-4o-mini', [{ text: 'fine', tokens: { input: 1_000_000, output: 0 } }]);
    const openai = { ...scripted('gpt-4o-mini'), kind: 'openai' } as const;
    const { judge, another } = await setUpJudge(openai, { limits: { maxUsd: 0.1 } });
    await judge.ask(request, signal);
    await expect(another().ask(request, signal)).rejects.toThrow(
      new JudgeProblem('The 0.1 US dollars that grading may cost are used up (0.1500 were used).'),
    );
    expect(server.count()).toBe(1);
  });

  test('never makes more requests than it may, at once or by retries', async () => {
    const { judge, another, budget } = await setUpJudge(scripted('judge-1'), {
      limits: { maxCalls: 5, maxCallsPerGrade: 3 },
    });
    const asked = await Promise.allSettled(Array.from({ length: 6 }, () => judge.ask(request, signal)));
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    expect(asked.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: new JudgeProblem('The 3 calls that one grade may make are used up.'),
    });
    const next = another();
    await next.ask(request, signal);
    await next.ask(request, signal);
    await expect(next.ask(request, signal)).rejects.toThrow('The 5 calls that grading may make are used up.');
    expect([server.count(), budget.used.calls]).toEqual([5, 5]);

    const failing = await setUpJudge(scripted('always-500'), { limits: { maxCallsPerGrade: 2 } });
    await expect(failing.judge.ask(request, signal)).rejects.toThrow('The 2 calls that one grade may make');
    expect(server.count('always-500')).toBe(2);
  });

  test.each([
    ['always-500', /^The judge could not be asked: .*replied 500/, 3],
    ['always-401', /^The judge could not be asked: /, 1],
    ['malformed', /^The judge could not be asked: /, 3],
    ['out-of-tokens', /^The judge's reply was cut off after 8000 tokens\.$/, 1],
  ])('%s is a problem of the judge, and is kept', async (model, message, calls) => {
    const { judge, kept } = await setUpJudge(scripted(model));
    await expect(judge.ask(request, signal)).rejects.toSatisfy(
      (thrown) => thrown instanceof JudgeProblem && message.test(thrown.message),
    );
    expect(judge.cost.calls).toBe(calls);
    expect(kept.size).toBe(1);
  });

  test('that never replies is left when the time of the grader is over', async () => {
    const { judge } = await setUpJudge(scripted('hang'));
    const stop = new AbortController();
    const asked = judge.ask(request, stop.signal);
    stop.abort(new Error('the time is over'));
    await expect(asked).rejects.toThrow('the time is over');
  });

  test.each(['openai', 'anthropic', 'google', 'openai-compatible', 'ollama'] as const)(
    'of kind %s takes text and pictures over its own protocol',
    async (kind) => {
      await using model = await startTestModel({ policy: 'careful' });
      const { judge } = await setUpJudge({ kind, model: 'test', baseUrl: model.baseUrls[kind] });
      expect(await judge.ask(request, signal)).toContain('score');
      expect(judge.cost).toMatchObject({ calls: 1, inputTokens: expect.any(Number), outputTokens: expect.any(Number) });
      expect(model.requests.at(-1)?.conversation?.messages.at(-1)?.images).toHaveLength(1);
    },
  );
});
