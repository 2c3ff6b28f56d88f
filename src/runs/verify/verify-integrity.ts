/** Is every file of a run as it was when the run ended, or was signed? Hash chains, the manifest and its signature; and what none of them proves. */
import type { KeyObject } from 'node:crypto';
import { someOf } from '../../errors/index.ts';
import { MANIFEST_FILE, SIGNATURE_FILE } from '../folder/manifest-file.ts';
import type { RunFile } from '../folder/run-file.ts';
import { type Manifest, manifestBytes, parseManifest } from '../integrity/manifest.ts';
import { filesOf, hashFile, kindOf } from '../integrity/run-files.ts';
import { isOver, keyIdOf, readSignature, signatureProblem } from '../integrity/signature.ts';
import type { Discrepancy } from './discrepancy.ts';
import { type VerifiedChains, verifyChains } from './verify-chains.ts';

export interface Integrity extends Pick<VerifiedChains, 'journals' | 'chained'> {
  differences: Discrepancy[];
  /** Files that the manifest lists; undefined where there is no manifest. */
  files?: number;
  signed?: { keyId: string; signedAt: string; isTrusted: boolean };
  notes: string[];
  /** What a run that verifies may still hide, a sentence each. */
  cannotProve: string[];
}

/** `publicKey`: the run must be signed by it. */
export async function verifyIntegrity(root: string, run: RunFile, publicKey?: KeyObject): Promise<Integrity> {
  const { differences: breaks, journals, chained } = await verifyChains(root);
  const bytes = manifestBytes(root);
  const manifest = bytes && parseManifest(bytes);
  const signature = verifySignature(root, run, bytes, publicKey);
  const files = manifest ? verifyFiles(root, manifest) : { differences: [], notes: [], added: 0 };
  const isExpected = run.endedAt !== undefined && chained > 0;
  const differences = [
    ...breaks,
    ...(bytes && !manifest
      ? [difference('manifest', MANIFEST_FILE, 'not understood', 'a manifest of this version')]
      : []),
    ...(manifest && manifest.runId !== run.plan.runId
      ? [difference('manifest', MANIFEST_FILE, `of the run ${manifest.runId}`, `the run is ${run.plan.runId}`)]
      : []),
    ...(!bytes && isExpected ? [difference('manifest', MANIFEST_FILE, 'not there', 'waymark report makes it')] : []),
    ...files.differences,
    ...signature.differences,
  ];
  return {
    differences,
    journals,
    chained,
    ...(manifest ? { files: manifest.files.length } : {}),
    ...(signature.signed ? { signed: signature.signed } : {}),
    notes: files.notes,
    cannotProve: limits({ journals, chained }, manifest, signature.signed, files.added),
  };
}

/** Every file that was listed is there and the same, and there is no other of which results are made. */
function verifyFiles(root: string, manifest: Manifest): { differences: Discrepancy[]; notes: string[]; added: number } {
  const differences: Discrepancy[] = [];
  const left = new Map(manifest.files.map((file) => [file.path, file]));
  const grown: string[] = [];
  const made: Discrepancy[] = [];
  const strange: string[] = [];
  for (const { path: file, isFile } of filesOf(root)) {
    const kind = kindOf(file);
    const listed = left.get(file);
    left.delete(file);
    if (!isFile) differences.push(difference('manifest', file, 'a file', 'a link, or no file at all'));
    else if (!listed) {
      if (kind === 'grades') grown.push(file);
      else if (kind === 'other') strange.push(file);
      else (kind === 'made' ? made : differences).push(difference('manifest', file, 'not in the manifest', 'there'));
    } else {
      const again = hashFile(root, file);
      if (again.sha256 === listed.sha256) continue;
      const isLog = kind === 'grades' && again.bytes > listed.bytes;
      const found = difference('manifest', file, `sha256 ${listed.sha256}`, `sha256 ${again.sha256}`);
      // Grades may be added. Those that were there stay as they were.
      if (isLog && hashFile(root, file, listed.bytes).sha256 === listed.sha256) grown.push(file);
      else (kind === 'made' ? made : differences).push(found);
    }
  }
  for (const { path: file } of left.values())
    differences.push(difference('manifest', file, 'in the manifest', 'not there'));
  const notes = [
    ...(grown.length > 0
      ? [`Grades were added after the manifest was written: ${someOf(grown)}. They have a chain of their own.`]
      : []),
    ...(strange.length > 0 ? [`Not of the run, and not in its manifest: ${someOf(strange)}.`] : []),
  ];
  // With further grades, the reports are others. Whether they follow from journals and grades, making them again shows.
  if (grown.length === 0) return { differences: [...differences, ...made], notes, added: 0 };
  const again = made.flatMap(({ file }) => (file === undefined ? [] : [file]));
  if (again.length > 0) notes.push(`Made again since, with these grades: ${someOf(again)}.`);
  return { differences, notes, added: grown.length };
}

function verifySignature(
  root: string,
  run: RunFile,
  manifest: Buffer | undefined,
  publicKey: KeyObject | undefined,
): { differences: Discrepancy[]; signed?: Integrity['signed'] } {
  const found = readSignature(root);
  const wrong = (recorded: string, again: string) => ({
    differences: [difference('signature', SIGNATURE_FILE, recorded, again)],
  });
  if (found === undefined)
    return publicKey ? wrong('not there', `signed by the key ${keyIdOf(publicKey)}`) : { differences: [] };
  if (found === 'unreadable') return wrong('not understood', 'a signature of this version');
  if (!manifest) return wrong('there', 'there is no manifest.json');
  if (found.runId !== run.plan.runId) return wrong(`of the run ${found.runId}`, `the run is ${run.plan.runId}`);
  const problem = signatureProblem(found, publicKey);
  if (problem !== undefined) return wrong(`signed by ${found.keyId}`, problem);
  if (!isOver(found, manifest)) {
    const again = 'it is not the one that was signed: any file may have been changed';
    return { differences: [difference('signature', MANIFEST_FILE, `signed by ${found.keyId}`, again)] };
  }
  const { keyId, signedAt } = found;
  return { differences: [], signed: { keyId, signedAt, isTrusted: publicKey !== undefined } };
}

function limits(
  { journals, chained }: Pick<Integrity, 'journals' | 'chained'>,
  manifest: Manifest | undefined,
  signed: Integrity['signed'],
  added: number,
): string[] {
  const unchained = journals - chained;
  return [
    ...(unchained > 0
      ? [
          `${unchained} of ${journals} journals have no complete hash chain: an earlier version wrote them, or it was taken out. What only the journal knows may have been changed.`,
        ]
      : []),
    ...(signed
      ? []
      : [
          `The run is not signed: anyone with write access to its folder can change ${manifest ? 'a journal and compute all hashes again' : 'it'}. Sign a run to rule that out: waymark sign.`,
        ]),
    ...(signed && !signed.isTrusted
      ? [
          `The signature names its own key (${signed.keyId}): give the signer’s public key with --public-key to know whose it is.`,
        ]
      : []),
    ...(signed
      ? ['When it was signed is the signer’s own word, and a signature says who, not that what was signed is true.']
      : []),
    ...(signed && added > 0 ? ['Grades that were added after the signing are not covered by it.'] : []),
    'No hash shows that the browser, the sites or the harness did not deceive while the run was made.',
  ];
}

function difference(what: 'manifest' | 'signature', file: string, recorded: string, again: string): Discrepancy {
  return { what, file, recorded, again };
}
