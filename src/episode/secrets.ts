/**
 * The values that a task's `secrets` name. A call says `{{secret:NAME}}`; the value is put in when the call is sent, and whatever comes back
 * has it taken out again, before anybody keeps it or shows it to the agent.
 */

import type { EpisodeTaskSpec } from '../cases/index.ts';
import { escapePattern } from '../contracts/index.ts';
import { WaymarkError } from '../errors/index.ts';
import type { ToolResult } from '../tools/index.ts';
import { secretForms } from './secret-forms.ts';

/** By name. */
export type SecretValues = Readonly<Record<string, string>>;

/** A shorter one stands in texts that have nothing to do with it, and taking it out would tear them. */
export const MIN_SECRET_LENGTH = 4;
const PLACEHOLDER = /\{\{secret:([^{}]*)\}\}/g;
/** Arguments that are programs: there the value stands inside a string of the program's. */
const PROGRAMS = /^(code|script|expression|function|source)$/i;

/**
 * The values of the secrets that a task names.
 *
 * @example
 * readSecrets(task, process.env); // => { SHOP_PASSWORD: '…' }
 */
export function readSecrets(task: EpisodeTaskSpec, environment: Readonly<Record<string, string | undefined>>) {
  const names = task.secrets ?? [];
  const values = Object.fromEntries(names.map((name) => [name, environment[name] ?? '']));
  const missing = names.filter((name) => values[name] === '');
  if (missing.length > 0) {
    throw new WaymarkError({
      code: 'usage_missing_secret',
      message: `The task "${task.id}" needs the environment ${missing.length === 1 ? 'variable' : 'variables'} ${missing.join(', ')}; nothing was run.`,
      hint: 'Set it for this command. Its value goes into calls where they say {{secret:NAME}}, and into no file.',
    });
  }
  const short = names.find((name) => (values[name] ?? '').length < MIN_SECRET_LENGTH);
  if (short !== undefined) {
    throw new WaymarkError({
      code: 'usage_short_secret',
      message: `The secret ${short} of the task "${task.id}" has fewer than ${MIN_SECRET_LENGTH} characters; nothing was run.`,
      hint: 'So short a value stands in texts by chance, and could not be kept out of the journal.',
    });
  }
  const spec = JSON.stringify(task);
  const told = names.find((name) => spec.includes(JSON.stringify(values[name]).slice(1, -1)));
  if (told !== undefined) {
    throw new WaymarkError({
      code: 'usage_secret_in_task',
      message: `The value of the secret ${told} stands in the task "${task.id}" itself; nothing was run.`,
      hint: 'A task is kept in every journal. Say {{secret:NAME}} in calls, and write the contract without the value.',
    });
  }
  return values as SecretValues;
}

export class Secrets {
  readonly names: readonly string[];
  readonly #values: SecretValues;
  readonly #forms: RegExp | undefined;
  readonly #nameOf = new Map<string, string>();

  /** @param hidden Values that are only taken out, and that no call can name: keys that the agent was given. */
  constructor(values: SecretValues = {}, hidden: SecretValues = {}) {
    this.#values = values;
    this.names = Object.keys(values);
    for (const [name, value] of [...Object.entries(hidden), ...Object.entries(values)])
      for (const form of secretForms(value)) this.#nameOf.set(form.toLowerCase(), name);
    // The longest first: of two secrets, one may be the beginning of the other. What is taken out already stays as it is.
    const forms = [...this.#nameOf.keys()].sort((a, b) => b.length - a.length).map((form) => escapePattern(form));
    if (forms.length > 0) this.#forms = new RegExp(`\\{\\{secret:[^{}]*\\}\\}|${forms.join('|')}`, 'gi');
  }

  /** Placeholders that name nothing. */
  unknownIn(args: unknown): string[] {
    const found = [...(JSON.stringify(args) ?? '').matchAll(PLACEHOLDER)].map(([, name = '']) => name);
    return [...new Set(found)].filter((name) => !this.names.includes(name));
  }

  /** What is sent to the server, and kept nowhere. */
  resolve(args: Record<string, unknown>): Record<string, unknown> {
    if (this.names.length === 0) return args;
    return mapStrings(args, (text, field) =>
      text.replaceAll(PLACEHOLDER, (whole, name: string) => {
        const value = Object.hasOwn(this.#values, name) ? this.#values[name] : undefined;
        if (value === undefined) return whole;
        return PROGRAMS.test(field) && text !== whole ? JSON.stringify(value).slice(1, -1) : value;
      }),
    ) as Record<string, unknown>;
  }

  text(text: string): string {
    if (this.#forms === undefined) return text;
    const clean = text.replaceAll(this.#forms, (found) => {
      const name = this.#nameOf.get(found.toLowerCase());
      return name === undefined ? found : `{{secret:${name}}}`;
    });
    return this.#withoutCutOff(clean);
  }

  /** Any JSON value without secrets, names of fields included. The value itself where there is nothing to take out. */
  redact<T>(value: T): T {
    return this.#forms === undefined ? value : (mapStrings(value, (text) => this.text(text)) as T);
  }

  result(result: ToolResult): ToolResult {
    if (this.#forms === undefined) return result;
    // Pictures are what the page shows; nothing can be taken out of them.
    const { images, ...rest } = result;
    return { ...this.redact(rest), images };
  }

  /** Long texts are cut where they are read, and the cut may go through a secret, so that the text ends with the beginning of the secret. */
  #withoutCutOff(text: string): string {
    if (text.length < 1_000) return text;
    const end = text.search(/…[^…]{0,40}$/);
    const body = end < 0 ? text : text.slice(0, end);
    for (const [name, value] of Object.entries(this.#values)) {
      for (let length = Math.min(value.length - 1, body.length); length >= MIN_SECRET_LENGTH; length--) {
        if (body.endsWith(value.slice(0, length)))
          return `${body.slice(0, -length)}{{secret:${name}}}${text.slice(body.length)}`;
      }
    }
    return text;
  }
}

/** Every string in a JSON value, with the name of the field that it is in; names of fields are strings too. */
function mapStrings(value: unknown, change: (text: string, field: string) => string, field = ''): unknown {
  if (typeof value === 'string') return change(value, field);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((inner) => mapStrings(inner, change, field));
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [change(name, ''), mapStrings(inner, change, name)]),
  );
}
