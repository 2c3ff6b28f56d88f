/**
 * What travels to workers: the choices of a run, its tasks, and the files that they need. Each file is an artifact named after the hash of its
 * content, and so is the package: what is the same in many runs is kept once, and what arrives is what was sent.
 */
import { z } from 'zod';

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
/** Relative, with `/`, and never upwards. */
const place = z.string().refine((text) => isInside(text), 'must be a path inside the package');

export const runPackageSchema = z.strictObject({
  format: z.literal('waymark.run-package.v1'),
  /** As `resolveRun` takes them; see travelling-choices.ts. */
  choices: z.record(z.string(), z.unknown()),
  tasks: z.array(
    z.strictObject({ task: z.unknown(), source: z.string(), folder: place, dataset: z.string().optional() }),
  ),
  /** What the files of graders that were chosen for the run are relative to; absent without any. */
  graderFolder: place.optional(),
  /** Where fixtures are looked for. */
  places: z.array(place),
  files: z.array(z.strictObject({ path: place, sha256, bytes: z.int().min(0) })),
});
export type RunPackage = z.infer<typeof runPackageSchema>;

/** The root itself is `.`. */
function isInside(text: string): boolean {
  return (
    text === '.' ||
    text.split('/').every((part) => part !== '' && part !== '.' && part !== '..' && !/[\\\0]/.test(part))
  );
}
