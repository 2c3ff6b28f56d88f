/** How the arguments of a tool name an element. Exactly one of: ref; selector; role (with name); text. */
import { z } from 'zod';
import { ToolFailure } from './failure.ts';

/** The arguments of a tool that acts on one element. */
export const locatorFields = {
  ref: z.string().optional().describe('Ref of an element, from read_page or find, e.g. "a12"'),
  selector: z
    .string()
    .min(1)
    .optional()
    .describe('CSS selector; ">>>" goes into an open shadow root or a frame: "#outer >>> button"'),
  role: z.string().min(1).optional().describe('Role of the element, e.g. "button"; use with name'),
  name: z.string().optional().describe('Accessible name for role; part of it is enough unless exact'),
  text: z.string().min(1).optional().describe('Visible text of the element; part of it is enough unless exact'),
  exact: z.boolean().optional().describe('name or text must be equal, not only contained'),
  nth: z.number().int().min(1).optional().describe('Which one, from 1, where several fit'),
};

export const tabField = {
  tabId: z
    .string()
    .optional()
    .describe('Tab to act on (see tabs_context); default: the tab of the ref, else the tab used last'),
};

export const timeField = {
  timeoutMs: z.number().int().min(1).max(60_000).optional().describe('Longest time for this call, in milliseconds'),
};

export type LocatorArguments = { [K in keyof typeof locatorFields]?: z.infer<(typeof locatorFields)[K]> };

export type Locator =
  | { ref: string }
  | { selector: string; nth?: number | undefined }
  | { role: string; name?: string | undefined; exact?: boolean | undefined; nth?: number | undefined }
  | { text: string; exact?: boolean | undefined; nth?: number | undefined };

/** The locator in the arguments; undefined where there is none. */
export function locatorOf(given: LocatorArguments): Locator | undefined {
  const { ref, selector, role, name, text, exact, nth } = given;
  const kinds = Object.entries({ ref, selector, role, text }).filter(([, value]) => value !== undefined);
  if (kinds.length > 1) {
    const names = kinds.map(([kind]) => kind).join(' and ');
    throw new ToolFailure(
      'bad_argument',
      `The element is named twice, by ${names}.`,
      'Give one of ref, selector, role with name, or text.',
    );
  }
  if (name !== undefined && role === undefined) {
    throw new ToolFailure('bad_argument', 'A name was given without a role.', 'Give role and name, or text.');
  }
  if (ref !== undefined) return { ref };
  if (selector !== undefined) return { selector, nth };
  if (role !== undefined) return { role, name, exact, nth };
  if (text !== undefined) return { text, exact, nth };
  return undefined;
}

export function neededLocator(given: LocatorArguments, what = 'an element'): Locator {
  const locator = locatorOf(given);
  if (locator) return locator;
  throw new ToolFailure('bad_argument', `This needs ${what}.`, 'Give one of ref, selector, role with name, or text.');
}
