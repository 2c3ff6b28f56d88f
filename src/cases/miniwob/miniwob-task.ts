/** A page of MiniWoB++ with a seed as a task: the page says what to do, and its reward decides. */
import { z } from 'zod';
import { sentenceOf } from '../../errors/index.ts';
import { checkedTask, type ImportedRow } from '../rows/imported-row.ts';
import { MINIWOB_HOST, SEED_PARAMETER } from './miniwob-fixture.ts';

export const MAX_SEED = 2 ** 31 - 1;

const rowSchema = z.object({
  /** In the folder: `miniwob/click-test.html`. */
  path: z
    .string()
    .max(200)
    .regex(/^(?:miniwob\/[A-Za-z0-9][A-Za-z0-9-]*|flight\/[A-Za-z0-9][A-Za-z0-9-]*\/wrapper)\.html$/, {
      error: 'must be the name of a page of letters, digits and "-", ending in .html',
    }),
  html: z
    .string()
    .max(1_000_000)
    .refine((html) => /<script[^>]*\bsrc=["'][^"']*core\/core\.js["']/.test(html), {
      error: 'does not load core/core.js, as pages of MiniWoB++ do',
    })
    .refine((html) => html.includes('core.startEpisode'), { error: 'never calls core.startEpisode()' })
    .refine((html) => /\bid=["']?query\b/.test(html), {
      error: 'has no element with the id "query" for the instruction',
    }),
  seed: z.int().min(0).max(MAX_SEED),
  maxSteps: z.int().min(1).max(100).optional(),
});

/** `miniwob/click-test.html` is `click-test`, and `flight/Alaska/wrapper.html` is `flight.Alaska`, as BrowserGym names them. */
export function miniwobName(path: string): string {
  const [group = '', name = ''] = path.split('/');
  return group === 'flight' ? `flight.${name}` : name.replace(/\.html$/, '');
}

export function importMiniwobRow(given: unknown): ImportedRow {
  const parsed = rowSchema.safeParse(given);
  if (!parsed.success) return { result: 'invalid', reason: sentenceOf(parsed.error) };
  const { path, html, seed, maxSteps } = parsed.data;
  const name = miniwobName(path);
  const id = `miniwob-${name.toLowerCase()}.seed${seed}`;
  return checkedTask(id, () => ({
    task: {
      id,
      title: `${titleIn(html) ?? name}, seed ${seed}`,
      startUrl: `http://${MINIWOB_HOST}/${path}?${SEED_PARAMETER}=${seed}`,
      goal: 'The page shows an instruction in the box at its top. Do what it says. There is one try.',
      about: `MiniWoB++, ${name}, seed ${seed}. The page gives the reward.`,
      ...(maxSteps === undefined ? {} : { maxSteps }),
      maxDurationMs: 300_000,
      // Raw: without the part that is taken off for the time that it took. More than 0 is a success, as in BrowserGym.
      success: {
        kind: 'script',
        expression: 'WOB_DONE_GLOBAL && WOB_RAW_REWARD_GLOBAL > 0',
        equals: true,
        forgeable: true,
      },
      category: name,
      network: { mode: 'blocked' },
      // What a page draws before its episode starts.
      determinism: { seed },
    },
    notes: ['The agent reads the instruction on the page; other harnesses give it as the goal.'],
  }));
}

function titleIn(html: string): string | undefined {
  const title = /<title>([^<]{1,150})<\/title>/.exec(html)?.[1]?.replace(/\s+/g, ' ').trim();
  return title === '' ? undefined : title;
}
