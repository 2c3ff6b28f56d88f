/** How well the agent worked, on six axes with weights. What the journal tells is computed; a judge is asked only for the rest. */
import { nameOfSpec, type PerformanceSpec } from '../../cases/schemas.ts';
import type { JournalEvent } from '../../events/index.ts';
import type { Grader } from '../grader.ts';
import { actionHistory } from '../judge/action-history.ts';
import { judgingGrader, noVerdict } from '../judge/judging-grader.ts';
import { skipped } from '../judge/not-judged.ts';
import { AXES, type Axis, computedAxes } from './performance-axes.ts';
import { parsePerformance, performanceRequest } from './performance-prompt.ts';

const PASS_AT = 75;
const NAMES = Object.keys(AXES) as Axis[];

export function performanceGrader(spec: PerformanceSpec): Grader {
  return judgingGrader({
    name: nameOfSpec(spec),
    version: '1',
    timeoutMs: 180_000,
    async judge({ subject, events, answer, oracleSteps }, { judge, signal }) {
      if (subject.kind === 'question') return skipped('It grades the work in a browser, and a question has none.');
      const { goal } = subject.task;
      const computed = computedAxes(events, subject.task, oracleSteps);
      const wanted = NAMES.filter((axis) => !computed[axis]);
      const work = { goal, actions: actionHistory(events), said: wordsOf(events), answer };
      const asked = parsePerformance(await judge.ask(performanceRequest(wanted, work), signal), wanted);
      if (!asked) return noVerdict(`number for ${wanted.join(' and ')}`, { computed });
      const axes = NAMES.map((axis) => ({
        axis,
        weight: AXES[axis],
        value: computed[axis]?.value ?? asked[axis]?.value ?? 0,
      }));
      const total = Math.round(axes.reduce((sum, { weight, value }) => sum + weight * value, 0) * 10) / 10;
      const passAt = spec.passAt ?? PASS_AT;
      const reasons = NAMES.map((axis) => computed[axis]?.by ?? asked[axis]?.reason);
      return {
        verdict: total >= passAt ? 'pass' : 'fail',
        score: total / 100,
        reasoning: [
          `${total} of 100, and ${passAt} are needed.`,
          ...axes.map(({ axis, value }, index) => `${axis} ${value}: ${reasons[index]}`),
        ].join(' '),
        details: {
          total,
          passAt,
          axes: Object.fromEntries(axes.map(({ axis, value }) => [axis, value])),
          computed,
          asked,
        },
      };
    },
  });
}

/** The last part of what the agent said; a long attempt says too much for one question. */
const MAX_WORDS = 30_000;

function wordsOf(events: readonly JournalEvent[]): string[] {
  const said = events.flatMap((event) =>
    event.type === 'message' && event.message.type === 'assistant' ? [event.message.content] : [],
  );
  let length = 0;
  return said
    .toReversed()
    .filter((text) => {
      length += text.length;
      return length <= MAX_WORDS;
    })
    .toReversed();
}
