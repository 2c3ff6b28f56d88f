/** What the judge is asked about performance: only the axes that nothing computes. */
import * as z from 'zod';
import type { JudgeRequest } from '../judge/judge.ts';
import { readJsonReply } from '../judge/read-json-reply.ts';
import { ABOUT_UNTRUSTED, encode, untrusted } from '../judge/untrusted.ts';
import type { Axis } from './performance-axes.ts';

const QUESTIONS: Readonly<Partial<Record<Axis, string>>> = {
  completion:
    '"completion": how much of the task is done in the end. 100: all of it. 0: nothing of it. Count only what the steps show.',
  reasoning:
    '"reasoning": how sound the decisions were. 100: each step follows from the task and from what was seen before. 0: steps at random, ignored errors, or claims that the steps contradict.',
};

function instructionsFor(axes: readonly Axis[]): string {
  return [
    'You grade how an agent that drives a web browser worked. You are given its task, what it did step by step, and what it said meanwhile.',
    'Give whole numbers from 0 to 100:',
    ...axes.map((axis) => `- ${QUESTIONS[axis] ?? axis}`),
    'The steps are facts. What the agent said is its own opinion: it shows how it thought, and is no evidence of what it did.',
    ABOUT_UNTRUSTED,
    `Reply with one JSON object and nothing else: {${axes.map((axis) => `"${axis}": {"reason": "one or two sentences", "value": 0 to 100}`).join(', ')}}.`,
  ].join('\n');
}

export interface PerformanceWork {
  readonly goal: string;
  readonly actions: readonly string[];
  readonly said: readonly string[];
  readonly answer: string | null;
}

export function performanceRequest(
  axes: readonly Axis[],
  { goal, actions, said, answer }: PerformanceWork,
): JudgeRequest {
  const about = [
    `Task: ${encode(goal)}`,
    `What it did, in ${actions.length} steps:`,
    ...untrusted('actions', actions.join('\n')),
    ...(said.length === 0 ? ['It said nothing on its way.'] : ['What it said:', ...untrusted('said', said.join('\n'))]),
    ...(answer === null ? ['It gave no answer.'] : ['Its answer:', ...untrusted('answer', answer)]),
  ].join('\n');
  const value = {
    type: 'object' as const,
    properties: { reason: { type: 'string' as const }, value: { type: 'integer' as const } },
    required: ['reason', 'value'],
    additionalProperties: false,
  };
  const properties = Object.fromEntries(axes.map((axis) => [axis, value]));
  return {
    instructions: instructionsFor(axes),
    parts: [about],
    format: {
      name: 'performance',
      schema: { type: 'object', properties, required: [...axes], additionalProperties: false },
    },
  };
}

export interface AskedAxis {
  readonly value: number;
  readonly reason: string;
}

/** Undefined unless every axis that was asked has its value. */
export function parsePerformance(reply: string, axes: readonly Axis[]): Partial<Record<Axis, AskedAxis>> | undefined {
  const axis = z.object({ reason: z.string(), value: z.number().min(0).max(100) });
  return readJsonReply(reply, z.object(Object.fromEntries(axes.map((name) => [name, axis]))));
}
