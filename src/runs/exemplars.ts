/** The example pictures of a task's screenshot classes: `exemplars/<class>/exemplars.json` beside the task, made by `waymark learn-class`. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { LoadedTask } from '../cases/index.ts';
import { type Exemplar, factsNeeded } from '../contracts/index.ts';
import { findingsOf, messageOf, WaymarkError } from '../errors/index.ts';

const ExemplarFile = z.object({
  format: z.literal('waymark.exemplars.v1'),
  exemplars: z.array(z.object({ name: z.string(), hash: z.string().regex(/^[0-9a-f]{16}$/) })).min(1),
});

/** A class without a file is left out: its leaf is then inconclusive, and says so. */
export function readExemplars({ task, folder }: LoadedTask): Record<string, Exemplar[]> {
  const classes = factsNeeded(task.success).exemplars;
  return Object.fromEntries(
    classes.flatMap((id) => {
      // A class's name becomes a path: nothing but a plain name may.
      const file = path.join(folder, 'exemplars', path.basename(id), 'exemplars.json');
      return existsSync(file) ? [[id, read(file)] as const] : [];
    }),
  );
}

function read(file: string): Exemplar[] {
  const refuse = (why: string, cause?: unknown): WaymarkError =>
    new WaymarkError({
      code: 'bad_exemplars',
      message: `${file} is not usable: ${why}.`,
      hint: 'Make it again: waymark learn-class <folder of pictures>.',
      cause,
    });
  let given: unknown;
  try {
    given = JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw refuse(messageOf(cause), cause);
  }
  const parsed = ExemplarFile.safeParse(given);
  if (!parsed.success) throw refuse(findingsOf(parsed.error).join('; '));
  return parsed.data.exemplars;
}
