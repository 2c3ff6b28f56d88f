/** The forms in which Waymark's judges are asked, each recognised by the fields of its reply, and an opinion written in each of them. */
import { z } from 'zod';
import type { Conversation, Draft } from '../conversation.ts';
import type { Judged, Opinion } from './judge.ts';

type Write = (opinion: Opinion, judged: Judged) => unknown;

const FORMS: readonly { readonly fields: readonly string[]; readonly write: Write }[] = [
  { fields: ['score', 'reason'], write: ({ isGood, reason }) => ({ score: isGood ? 1 : 0, reason }) },
  {
    fields: ['thoughts', 'verdict'],
    write: ({ isGood, reason }) => ({ thoughts: reason, verdict: isGood ? 'SUCCESS' : 'NOT SUCCESS' }),
  },
  {
    fields: ['thoughts', 'status'],
    write: ({ isGood, reason }) => ({ thoughts: reason, status: isGood ? 'success' : 'failure' }),
  },
  { fields: ['key_points'], write: (_, { goal = '' }) => ({ key_points: [goal] }) },
  // It sees no pictures: each of them may matter.
  { fields: ['reasoning', 'score'], write: () => ({ reasoning: 'A screenshot that I cannot see.', score: 3 }) },
  {
    fields: ['criteria'],
    write: (_, { goal, criteria }) => ({
      criteria: [
        {
          id: 'done',
          description: goal ?? criteria ?? 'The answer is right.',
          about: 'outcome',
          weight: 1,
          required: true,
        },
      ],
    }),
  },
  {
    fields: ['scores'],
    write: ({ isGood, reason }, { rubric }) => ({
      scores: rubric.map(({ id }) => ({ id, reason, score: isGood ? 1 : 0, outside_control: false })),
    }),
  },
];

const schema = z.object({ properties: z.record(z.string(), z.unknown()) });

/** Undefined where the conversation asks for no verdict. */
export function judgeForm({ system, format }: Conversation): Write | undefined {
  const { properties } = schema.safeParse(format).data ?? {};
  if (!properties) return /\bYou grade answers\b/.test(system) ? FORMS[0]?.write : undefined;
  const names = Object.keys(properties);
  const form = FORMS.find(
    ({ fields }) => fields.length === names.length && fields.every((name) => names.includes(name)),
  );
  return form?.write ?? (isAxes(properties) ? axesOf(names) : undefined);
}

export function asReply(write: Write, opinion: Opinion, judged: Judged): Draft {
  return { text: JSON.stringify(write(opinion, judged)), reasoning: opinion.reason };
}

/** Performance: any axes, each with a value and a reason. */
function isAxes(properties: Readonly<Record<string, unknown>>): boolean {
  return Object.values(properties).every((of) => {
    const fields = schema.safeParse(of).data?.properties ?? {};
    return 'value' in fields && 'reason' in fields;
  });
}

function axesOf(names: readonly string[]): Write {
  return ({ isGood, reason }) => Object.fromEntries(names.map((name) => [name, { reason, value: isGood ? 100 : 0 }]));
}
