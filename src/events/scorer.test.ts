/** Lanes in the folds of a journal: nothing of one lane is taken for another's, and a journal without lanes folds as it always did. */
import { describe, expect, it } from 'vitest';
import type { Evidence } from '../contracts/index.ts';
import { type EpisodeMetrics, episodeMetrics } from '../metrics/index.ts';
import type { EventOf, JournalEvent, NewEvent } from './events.ts';
import { Attempts } from './ledger-attempts.ts';
import { metricEvents } from './metric-events.ts';
import { AttemptScorer } from './scorer.ts';
import { VerdictFold } from './verdict-fold.ts';

type Lane = string | undefined;
const tag = (lane: Lane) => (lane === undefined ? {} : { executorId: lane });
const call = (lane: Lane, callId: string, tool = 'click', args: unknown = {}): NewEvent<'tool_call'> => ({
  type: 'tool_call',
  callId,
  step: 1,
  tool,
  arguments: args,
  by: 'agent',
  observes: false,
  ...tag(lane),
});
const result = (lane: Lane, callId: string, more: Partial<NewEvent<'tool_result'>> = {}): NewEvent<'tool_result'> => ({
  type: 'tool_result',
  callId,
  isError: false,
  text: '',
  textLength: 0,
  contentTypes: [],
  durationMs: 1,
  digest: callId,
  ...tag(lane),
  ...more,
});
const evidence = (lane: Lane, dom: string, callId?: string): NewEvent<'evidence'> => ({
  type: 'evidence',
  url: 'http://a.test/',
  title: '',
  page: 'ok',
  digests: { dom, text: dom, actionable: 'a' },
  regions: { clock: dom, rest: 'r' },
  counters: { network: 0, console: 0, dialogs: 0, downloads: 0, popups: 0 },
  tabs: [],
  ...(callId === undefined ? {} : { callId }),
  ...tag(lane),
});
const failing: Evidence = { verdict: 'fail', passed: false, assertion_kind: 'url', details: {} } as never;
const verdict = (lane: Lane, callId: string, phase: 'step' | 'final' = 'step'): NewEvent<'contract_eval'> => ({
  type: 'contract_eval',
  callId,
  phase,
  verdict: 'fail',
  evidence: failing,
  ...tag(lane),
});

describe('noise', () => {
  /** What the state of lane `a` is called before and after its page moved by itself. */
  function states(between: (scorer: AttemptScorer) => void): (string | undefined)[] {
    const scorer = new AttemptScorer({});
    scorer.onEvidence(evidence('a', '1'));
    scorer.onEvidence(evidence('b', '1'));
    // It changes three times after it had settled.
    for (const content of ['2', '3', '4']) {
      between(scorer);
      scorer.onEvidence({ ...evidence('a', content), settled: true });
    }
    return [scorer.fingerprint(evidence('a', '4')), scorer.fingerprint(evidence('a', '5'))];
  }

  it('is learnt from what moves while no lane has a call open', () => {
    const [two, three] = states(() => {});
    expect(two).toBe(three);
  });

  it('that was learnt since is left out of the name of an evidence that had one', () => {
    const scorer = new AttemptScorer({});
    const first = evidence('a', '4');
    const before = scorer.fingerprint(first);
    for (const content of ['1', '2', '3']) scorer.onEvidence({ ...evidence('a', content), settled: true });
    expect(scorer.fingerprint(first)).toBe(before);
    scorer.onEvidence({ ...evidence('a', '4'), settled: true });
    expect(scorer.fingerprint(first)).not.toBe(before);
  });

  it.each<[string, (scorer: AttemptScorer) => void]>([
    ['while another lane has a call open', (scorer) => scorer.onCall(call('b', 'c1'), true)],
    [
      'where another lane had one since the last look',
      (scorer) => {
        scorer.onCall(call('b', 'c1'), true);
        scorer.onResult(result('b', 'c1'), true);
      },
    ],
    ['while another lane only looks', (scorer) => scorer.onCall(call('b', 'c1'), false)],
  ])('is not learnt %s', (_, between) => {
    const [two, three] = states(between);
    expect(two).not.toBe(three);
  });
});

it('calls of another lane are no repeats, and its page is not the page before', () => {
  const scores = (other: Lane): (number | undefined)[] => {
    const scorer = new AttemptScorer({});
    const step = (lane: Lane, callId: string): number | undefined => {
      scorer.onCall(call(lane, callId), true);
      scorer.onResult(result(lane, callId, { isError: true, errorKind: 'element_not_found' }), true);
      scorer.onEvidence(evidence(lane, lane ?? 'main', callId));
      return scorer.onVerdict(verdict(lane, callId))?.score;
    };
    return [step('a', 'c1'), step(other, 'c2')];
  };
  const [first, apart] = scores('b');
  const [, repeated] = scores('a');
  expect(apart).toBe(first);
  expect(repeated).toBeLessThan(first ?? 0);
});

it('that the contract has held is known to every lane: it can be lost by any of them', () => {
  const signals = (holder: Lane): string[] | undefined => {
    const scorer = new AttemptScorer({});
    scorer.onVerdict({ ...verdict(holder, 'c0'), verdict: 'pass' });
    scorer.onCall(call('a', 'c1'), true);
    scorer.onResult(result('a', 'c1'), true);
    scorer.onEvidence(evidence('a', '1', 'c1'));
    return scorer.onVerdict(verdict('a', 'c1'))?.reasons.map(({ signal }) => signal);
  };
  expect(signals('b')).toEqual(signals('a'));
  expect(signals('b')?.some((signal) => signal.includes('contract'))).toBe(true);
});

describe('a sign-in page at the start', () => {
  /** The signals of a step that leaves the agent on a sign-in page, where the start page was this. */
  function signalsAfter(start: Partial<NewEvent<'evidence'>>): string[] | undefined {
    const scorer = new AttemptScorer({});
    const signIn = { url: 'http://a.test/login', features: { passwordForm: true } };
    scorer.onEvidence({ ...evidence(undefined, '1'), ...signIn, ...start });
    scorer.onCall(call(undefined, 'c1'), true);
    scorer.onResult(result(undefined, 'c1'), true);
    scorer.onEvidence({ ...evidence(undefined, '2', 'c1'), ...signIn });
    return scorer.onVerdict(verdict(undefined, 'c1'))?.reasons.map(({ signal }) => signal);
  }

  it('is one that the task begins on: the agent is expected to sign in', () => {
    expect(signalsAfter({})).not.toContain('auth_wall');
  });

  it('that the site redirected to is none that the task expects', () => {
    expect(signalsAfter({ redirected: true })).toContain('auth_wall');
  });

  it('is not expected where the start page has no password field', () => {
    expect(signalsAfter({ features: {} })).toContain('auth_wall');
  });
});

function journal(events: (NewEvent & { type: string })[]): JournalEvent[] {
  return events.map((event, seq) => ({ seq, time: seq, ...event }) as JournalEvent);
}

function metricsOf(lanes: [Lane, Lane]): EpisodeMetrics {
  const events = Array.from({ length: 6 }, (_, n) => {
    const lane = lanes[n % 2];
    const failed = { isError: lane === lanes[0] };
    const seen = { ...evidence(lane, `${lane}`, `c${n}`), state: `${lane}` };
    return [call(lane, `c${n}`), result(lane, `c${n}`, failed), seen];
  });
  const start = lanes.map((lane) => ({ ...evidence(lane, `${lane}`), state: `${lane}` }));
  return episodeMetrics(metricEvents(journal([...start, ...events.flat()])));
}

describe('metrics', () => {
  it('runs of errors are those of one lane, whatever another does in between', () => {
    expect(metricsOf(['a', 'b']).noProgressEpisodes).toBe(2);
    expect(metricsOf(['a', 'a']).noProgressEpisodes).toBe(1);
  });

  it('an action without an effect is measured on its own lane’s page', () => {
    const start = journal([
      evidence('a', 'x'),
      evidence('b', 'y'),
      call('a', 'c1'),
      call('b', 'c2'),
      result('b', 'c2'),
      { ...evidence('b', 'y2', 'c2'), state: 'y2' },
      result('a', 'c1'),
      { ...evidence('a', 'x', 'c1'), state: 'x' },
      call('a', 'c3'),
      result('a', 'c3'),
      { ...evidence('a', 'x', 'c3'), state: 'x' },
    ]);
    expect(episodeMetrics(metricEvents(start)).wandering.actionsWithoutEffect).toBe(1);
  });
});

it('the ledger has an entry for every call, in the order in which they ended, and one for each that was cut off', () => {
  const attempts = new Attempts();
  const reward: NewEvent<'reward'> = {
    type: 'reward',
    score: 0.2,
    classification: 'progress',
    tier: 'weak_positive',
    reasons: [],
    confidence: 1,
  };
  const events = journal([
    call('a', 'c1', 'first'),
    call('b', 'c2', 'second'),
    call('c', 'c3', 'third'),
    result('b', 'c2'),
    result('a', 'c1'),
    { ...reward, callId: 'c2', ...tag('b') },
    { ...reward, callId: 'c1', ...tag('a') },
    call('a', 'c4', 'fourth'),
    result('a', 'c4', { aborted: true }),
    { type: 'stop', status: 'failed', reason: 'x' },
  ]);
  expect(events.flatMap((event) => attempts.add(event)).map(({ tool, status }) => `${tool} ${status}`)).toEqual([
    'second success',
    'first success',
    'fourth aborted',
    'third aborted',
  ]);
});

describe('the final verdict', () => {
  const fold = (...verdicts: [EventOf<'contract_eval'>['phase'], EventOf<'contract_eval'>['verdict']][]) => {
    const all = new VerdictFold();
    for (const [n, [phase, each]] of verdicts.entries()) all.add({ phase, verdict: each, executorId: `e${n}` });
    return `${all.last?.executorId} ${all.last?.verdict}`;
  };

  it('is the newest, until there are final ones', () => {
    expect(fold(['start', 'pass'], ['step', 'fail'])).toBe('e1 fail');
    expect(fold(['step', 'pass'], ['final', 'fail'])).toBe('e1 fail');
  });

  it('of those, a pass decides over everything, an open one over a failure, and else the first counts', () => {
    expect(fold(['final', 'fail'], ['final', 'pass'], ['final', 'inconclusive'])).toBe('e1 pass');
    expect(fold(['final', 'fail'], ['final', 'inconclusive'])).toBe('e1 inconclusive');
    expect(fold(['final', 'fail'], ['final', 'fail'])).toBe('e0 fail');
  });
});
