/** That `waymark verify` names what was changed. */
import { expect } from 'vitest';

/** A difference names one of the files that were changed, or the attempt that it belongs to; a file that the manifest lists otherwise may be the manifest's. */
export function expectNamed(out: string, files: readonly string[]): void {
  const { episodes, plan, report, integrity } = JSON.parse(out) as Verified;
  const attempts = episodes.filter(({ differences }) => differences.length > 0).map(({ folder }) => folder);
  const byManifest = integrity.differences.some(({ what }) => what === 'manifest') ? ['manifest.json'] : [];
  const inFiles = [...plan, ...report, ...integrity.differences].flatMap(({ file }) =>
    file === undefined ? [] : [file],
  );
  const named = [...inFiles, ...byManifest];
  const isNamed = (file: string): boolean =>
    named.includes(file) || attempts.some((folder) => file.startsWith(`${folder}/`));
  expect(files.some(isNamed), `${files.join(', ')} in ${[...named, ...attempts].join(', ')}`).toBe(true);
}

export interface Verified {
  episodes: { folder: string; differences: object[] }[];
  plan: { file?: string }[];
  report: { file?: string }[];
  integrity: { differences: { file?: string; what: string }[]; notes: string[]; cannotProve: string[] };
}
