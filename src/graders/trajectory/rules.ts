/** The rules of a trajectory, each with its own result. Pure: steps and what the witness saw in, results out. */
import type { TrajectorySpec } from '../../cases/schemas.ts';
import type { GradeVerdict } from '../../events/index.ts';
import { ACTION_NAMES } from '../../tools/index.ts';
import { type HostsSeen, isHost } from './hosts-seen.ts';
import type { TrajectoryStep } from './steps-of.ts';

export interface RuleResult {
  /** The field of the spec. */
  readonly rule: string;
  /** The tool, action or host that it is about. */
  readonly about?: string;
  readonly result: GradeVerdict;
  /** It fails because something is missing: more steps could have changed that. */
  readonly isMissing?: true;
  /** A sentence. */
  readonly reason: string;
}

export interface Trajectory {
  /** The agent's own; those of recovery search are left out. */
  readonly steps: readonly TrajectoryStep[];
  readonly hosts: HostsSeen;
  /** Null where no known solution or no verdict of the harness is there to compare with. */
  readonly efficiency: number | null;
  /** A trace that was made elsewhere: the witness saw nothing. */
  readonly isImported: boolean;
}

const MISSING = { result: 'fail', isMissing: true } as const;
/** Numbers of steps that a reason lists. */
const LISTED = 10;

export function ruleResults(spec: TrajectorySpec, trajectory: Trajectory): RuleResult[] {
  const { steps } = trajectory;
  const { required = [], order, forbidden = [], forbiddenHosts = [], counts = {} } = spec;
  const { maxSteps, maxErrors, minEfficiency } = spec;
  const errors = steps.filter(({ status }) => status === 'error' || status === 'refused');
  return [
    ...required.map((name) => requiredRule(name, steps)),
    ...(order ? [orderRule(order, steps)] : []),
    ...forbidden.map((name) => forbiddenRule(name, steps)),
    ...forbiddenHosts.map((host) => hostRule(host, trajectory)),
    ...Object.entries(counts).map(([name, range]) => countRule(name, range, steps)),
    ...(maxSteps === undefined ? [] : [atMost('maxSteps', maxSteps, steps.length, 'steps were made')]),
    ...(maxErrors === undefined
      ? []
      : [atMost('maxErrors', maxErrors, errors.length, 'steps were answered with an error', errors)]),
    ...(minEfficiency === undefined ? [] : [efficiencyRule(minEfficiency, trajectory)]),
  ];
}

/** The name of a canonical action means the action, on whatever server; any other name is a tool's. */
function uses(name: string, steps: readonly TrajectoryStep[]): TrajectoryStep[] {
  return steps.filter(isUse(name));
}

function isUse(name: string): (step: TrajectoryStep) => boolean {
  const isAction = (ACTION_NAMES as readonly string[]).includes(name);
  return ({ action, tool }) => (isAction ? action : tool) === name;
}

function requiredRule(name: string, steps: readonly TrajectoryStep[]): RuleResult {
  const used = uses(name, steps);
  const reason = used.length === 0 ? `"${name}" was never used.` : `"${name}" was used (${numbers(used)}).`;
  return { rule: 'required', about: name, ...(used.length === 0 ? MISSING : { result: 'pass' }), reason };
}

function orderRule(names: readonly string[], steps: readonly TrajectoryStep[]): RuleResult {
  const found: TrajectoryStep[] = [];
  let from = 0;
  for (const [index, name] of names.entries()) {
    const at = steps.findIndex((step, place) => place >= from && isUse(name)(step));
    const step = steps[at];
    if (!step) {
      const after = found.at(-1);
      const where = after ? ` after step ${after.step} ("${names[index - 1]}")` : '';
      return { rule: 'order', ...MISSING, reason: `"${name}" was not used${where}.` };
    }
    found.push(step);
    from = at + 1;
  }
  return { rule: 'order', result: 'pass', reason: `They were used in this order (${numbers(found)}).` };
}

function forbiddenRule(name: string, steps: readonly TrajectoryStep[]): RuleResult {
  const used = uses(name, steps);
  const reason = used.length === 0 ? `"${name}" was never used.` : `"${name}" was used (${numbers(used)}).`;
  return { rule: 'forbidden', about: name, result: used.length === 0 ? 'pass' : 'fail', reason };
}

function countRule(name: string, { min = 0, max }: Range, steps: readonly TrajectoryStep[]): RuleResult {
  const used = uses(name, steps);
  const wanted = max === undefined ? `at least ${min}` : min === 0 ? `at most ${max}` : `${min} to ${max}`;
  const isTooMany = max !== undefined && used.length > max;
  const reason = `"${name}" was used ${times(used.length)}${used.length === 0 ? '' : ` (${numbers(used)})`}; ${wanted} is wanted.`;
  const result = used.length < min ? MISSING : ({ result: isTooMany ? 'fail' : 'pass' } as const);
  return { rule: 'counts', about: name, ...result, reason };
}
type Range = NonNullable<TrajectorySpec['counts']>[string];

function atMost(
  rule: string,
  max: number,
  count: number,
  what: string,
  steps: readonly TrajectoryStep[] = [],
): RuleResult {
  const where = steps.length === 0 ? '' : ` (${numbers(steps)})`;
  return { rule, result: count <= max ? 'pass' : 'fail', reason: `${count} ${what}${where}; at most ${max} may be.` };
}

function hostRule(host: string, { steps, hosts, isImported }: Trajectory): RuleResult {
  const about = { rule: 'forbiddenHosts', about: host };
  const seen = hosts.addresses.find(({ url }) => isHost(url, host));
  if (seen) {
    const reason = `After step ${seen.step} the witness saw a ${seen.what} on ${seen.url.host}: ${seen.url.href.slice(0, 200)}`;
    return { ...about, result: 'fail', reason };
  }
  if (isImported)
    return {
      ...about,
      result: 'skipped',
      reason: 'The trace was made elsewhere: no witness saw its tabs and requests.',
    };
  if (steps.length > 0 && !hosts.wasWatched)
    return { ...about, result: 'error', reason: 'The journal has no look of the witness after the steps.' };
  if (hosts.leftOut > 0) {
    const reason = `It was not seen, but the journal had no room for ${hosts.leftOut} entries of what the witness saw.`;
    return { ...about, result: 'error', reason };
  }
  return { ...about, result: 'pass', reason: 'No tab was on it, and no request went to it.' };
}

function efficiencyRule(wanted: number, { efficiency, isImported }: Trajectory): RuleResult {
  const rule = 'minEfficiency';
  if (isImported)
    return { rule, result: 'skipped', reason: 'The trace was made elsewhere: whether it passed is not known.' };
  if (efficiency === null) return { rule, result: 'skipped', reason: 'No known solution is there to compare with.' };
  const reason = `The path efficiency is ${efficiency.toFixed(3)}; at least ${wanted} is wanted.`;
  return { rule, ...(efficiency >= wanted ? { result: 'pass' } : MISSING), reason };
}

function numbers(steps: readonly TrajectoryStep[]): string {
  const listed = steps.slice(0, LISTED).map(({ step }) => step);
  const more = steps.length > LISTED ? ` and ${steps.length - LISTED} more` : '';
  return `${steps.length === 1 ? 'step' : 'steps'} ${listed.join(', ')}${more}`;
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}
