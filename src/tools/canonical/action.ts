/** Canonical actions, which a transcript uses for every server. */
import { z } from 'zod';
import { Point, Target } from './target.ts';

const pointer = {
  button: z.enum(['left', 'middle', 'right']).optional(),
  clickCount: z.number().int().min(1).max(3).optional(),
  modifiers: z
    .array(z.enum(['Alt', 'Control', 'ControlOrMeta', 'Meta', 'Shift']))
    .optional()
    .describe('Keys held; ControlOrMeta is Meta on a Mac and Control elsewhere'),
  offset: Point.optional().describe('From the top left corner of the element'),
};
const tabMatch = {
  url: z.string().min(1).optional().describe('Part of its address'),
  title: z.string().min(1).optional().describe('Part of its title'),
};

const Wait = z
  .strictObject({
    action: z.literal('wait'),
    text: z.string().min(1).optional(),
    selector: z.string().min(1).optional(),
    url: z.string().min(1).optional().describe('Part of the address'),
    ms: z.number().int().min(0).max(30_000).optional(),
    gone: z.boolean().optional().describe('Until the text or element is not there any more'),
    timeoutMs: z.number().int().min(1).max(60_000).optional().describe('Default: 10,000'),
  })
  .superRefine((given, context) => {
    const kinds = (['text', 'selector', 'url', 'ms'] as const).filter((kind) => given[kind] !== undefined);
    if (kinds.length !== 1)
      context.addIssue({ code: 'custom', message: 'wait for exactly one of text, selector, url and ms' });
    if (given.gone !== undefined && given.text === undefined && given.selector === undefined)
      context.addIssue({ code: 'custom', message: 'gone goes with text or selector' });
  });

export const CanonicalAction = z.discriminatedUnion('action', [
  z.strictObject({
    action: z.literal('navigate'),
    url: z.string().min(1).describe('Address, "back", "forward" or "reload"'),
  }),
  z.strictObject({ action: z.literal('read') }),
  z.strictObject({ action: z.literal('screenshot') }),
  z.strictObject({ action: z.literal('click'), target: Target, ...pointer }),
  z.strictObject({
    action: z.literal('type'),
    target: Target.optional().describe(
      'Gets the focus, without a click. Default: what has the focus; where that is no field, the keys go to the page',
    ),
    text: z.string(),
    append: z.boolean().optional().describe('Default: what is in the field is replaced'),
    slowly: z.boolean().optional().describe('Key by key'),
    submit: z.boolean().optional().describe('Press Enter at the end'),
  }),
  z.strictObject({
    action: z.literal('select'),
    target: Target,
    options: z.array(z.string()).min(1).describe('By label'),
  }),
  z.strictObject({
    action: z.literal('press'),
    key: z.string().min(1).describe('Key or chord: "Enter", "Control+A", "KeyA", "NumpadEnter", "ShiftRight"'),
    target: Target.optional(),
  }),
  z.strictObject({
    action: z.literal('scroll'),
    target: Target.optional().describe('What to scroll; without direction: what to bring into view'),
    direction: z.enum(['up', 'down', 'left', 'right']).optional(),
    amount: z.number().int().min(1).max(100_000).optional().describe('Pixels. Default: 500'),
  }),
  z.strictObject({
    action: z.literal('check'),
    target: Target,
    checked: z.boolean().optional().describe('The state that it has afterwards. Default: true'),
  }),
  z.strictObject({
    action: z.literal('drag'),
    target: Target,
    offset: Point.optional(),
    to: Target,
    toOffset: Point.optional().describe('From the top left corner of the element that it is dropped on'),
  }),
  z.strictObject({
    action: z.literal('mouse'),
    operation: z.enum(['down', 'up']),
    target: Target.optional().describe('Default: where the mouse is'),
    offset: Point.optional(),
    button: pointer.button,
  }),
  z.strictObject({ action: z.literal('tap'), target: Target, offset: Point.optional() }),
  z.strictObject({ action: z.literal('hover'), target: Target, offset: Point.optional() }),
  Wait,
  z.strictObject({
    action: z.literal('evaluate'),
    expression: z.string().min(1).max(100_000).describe('A JavaScript expression; a promise is awaited'),
  }),
  z.strictObject({
    action: z.literal('handle_dialog'),
    accept: z.boolean(),
    promptText: z.string().optional(),
  }),
  z.strictObject({
    action: z.literal('upload'),
    target: Target,
    files: z.array(z.string().min(1)).min(1).describe('Absolute paths'),
  }),
  z.strictObject({
    action: z.literal('tab'),
    operation: z.enum(['new', 'select', 'close', 'list']),
    ...tabMatch,
  }),
]);
export type CanonicalAction = z.infer<typeof CanonicalAction>;
export type ActionName = CanonicalAction['action'];
export type ActionOf<N extends ActionName> = Extract<CanonicalAction, { action: N }>;
