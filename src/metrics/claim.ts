/** Whether a number may be a headline or only a diagnosis, with the reasons. */

/** How many samples a claim needs. */
export const CLAIM_SAMPLES = { suite: 10, task: 20 } as const;

export interface ClaimArm {
  name: string;
  /** How many episodes count. */
  samples: number;
  /** Name → version of everything that could change the result: browser, server, agent, model. */
  versions: Readonly<Record<string, string>>;
  /** Task → hash of its contract. */
  contracts: Readonly<Record<string, string>>;
}

export interface ClaimEligibility {
  eligible: boolean;
  label: 'headline' | 'diagnostic';
  /** Every reason against the claim. */
  reasons: string[];
}

/**
 * One arm for a rate, two or more for a comparison.
 *
 * @example
 * const arm = { name: 'A', samples: 9, versions: { chromium: '140.0.7339.80' }, contracts: { login: 'sha256:aa' } };
 * claimEligibility('suite', [arm]);
 * // => { eligible: false, label: 'diagnostic', reasons: ['A has 9 samples; a claim about a suite needs 10.'] }
 */
export function claimEligibility(scope: keyof typeof CLAIM_SAMPLES, arms: readonly ClaimArm[]): ClaimEligibility {
  const reasons: string[] = [];
  if (arms.length === 0) reasons.push('Nothing was measured.');
  for (const arm of arms) {
    const needed = CLAIM_SAMPLES[scope];
    if (!(arm.samples >= needed)) {
      reasons.push(`${arm.name} has ${arm.samples} samples; a claim about a ${scope} needs ${needed}.`);
    }
    const versions = Object.entries(arm.versions);
    if (versions.length === 0) reasons.push(`${arm.name} names no versions.`);
    for (const [part, version] of versions.sort(byName)) {
      if (!isPinned(version))
        reasons.push(`${arm.name} does not pin ${part} (${version === '' ? 'no version' : version}).`);
    }
    if (Object.keys(arm.contracts).length === 0) reasons.push(`${arm.name} names no contracts.`);
  }
  const [first, ...others] = arms;
  for (const other of others) if (first !== undefined) reasons.push(...contractDifferences(first, other));
  return { eligible: reasons.length === 0, label: reasons.length === 0 ? 'headline' : 'diagnostic', reasons };
}

/** One exact release, build or commit. A range, a tag or a branch can change its meaning later. */
function isPinned(version: string): boolean {
  return (
    /^v?\d+(\.\d+){2,3}([-+][0-9A-Za-z.+-]+)?$/.test(version) ||
    /^(sha\d+:)?[0-9a-f]{7,128}$/.test(version) ||
    /^[A-Za-z][\w.:/-]*[-@]\d{4}-?\d{2}-?\d{2}$/.test(version)
  );
}

function contractDifferences(a: ClaimArm, b: ClaimArm): string[] {
  const tasks = [...new Set([...Object.keys(a.contracts), ...Object.keys(b.contracts)])].sort();
  return tasks.flatMap((task) => {
    const [ours, theirs] = [hashOf(a, task), hashOf(b, task)];
    if (ours === theirs) return [];
    if (ours === undefined || theirs === undefined)
      return [`Only ${ours === undefined ? b.name : a.name} has task ${task}.`];
    return [`${a.name} and ${b.name} use different contracts for task ${task}.`];
  });
}

/** Reads own properties only, because a task id may be `constructor`. */
function hashOf(arm: ClaimArm, task: string): string | undefined {
  return Object.hasOwn(arm.contracts, task) ? arm.contracts[task] : undefined;
}

function byName([a]: [string, string], [b]: [string, string]): number {
  return a < b ? -1 : 1;
}
