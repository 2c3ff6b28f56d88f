/** Where two trajectories part, in one sentence. */
import type { SampleComparison } from '../../metrics/index.ts';
import { type Divergence, short } from '../../view/index.ts';
import type { DivergedPair } from './divergences.ts';

const SHOWN = 100;

export function divergenceSentence(
  { caseId, trial, outcomes, divergence, answers }: DivergedPair,
  { a, b }: Pick<SampleComparison, 'a' | 'b'>,
): string {
  const name = `${caseId}${trial > 1 ? ` (trial ${trial})` : ''}`;
  const ends = `${name}: ${outcomes.a} in ${a.name}, ${outcomes.b} in ${b.name}`;
  if (answers)
    return `${ends}. The answers: “${short(answers.a ?? 'none', SHOWN)}” and “${short(answers.b ?? 'none', SHOWN)}”.`;
  if (!divergence) return `${ends}.`;
  const { kind, step, a: ofA, b: ofB } = divergence;
  const callOf = ({ step: one }: typeof ofA): string => (one ? short(`${one.action} ${one.brief}`, SHOWN) : 'nothing');
  switch (kind) {
    case 'action':
      return `${ends}. From step ${step} on they differ: ${callOf(ofA)} and ${callOf(ofB)}.`;
    case 'error': {
      const failed = ofA.step?.isError ? a.name : b.name;
      return `${ends}. At step ${step} both did ${callOf(ofA)}, which was an error in ${failed} only.`;
    }
    case 'url':
      return `${ends}. At step ${step} both did ${callOf(ofA)}, and came to ${short(ofA.step?.url ?? '', SHOWN)} and ${short(ofB.step?.url ?? '', SHOWN)}.`;
    case 'end': {
      const [ended, side] = ofA.step ? [b.name, ofB] : [a.name, ofA];
      return `${ends}. ${ended} ended after ${step - 1} ${step === 2 ? 'step' : 'steps'} (${short(side.end, SHOWN)}).`;
    }
    case 'none':
      return `${ends}. Their steps are the same.`;
  }
}

/** What one of them did there. */
export function stepText({ step, ...sides }: Divergence, side: 'a' | 'b'): string {
  const { step: taken, end } = sides[side];
  if (!taken) return `after its last step: ${end}`;
  const { action, brief, isError, url } = taken;
  return `step ${step}: ${action}${brief === '' ? '' : ` ${brief}`}${isError ? ' (an error)' : ''}${url === null ? '' : `, now at ${url}`}`;
}
