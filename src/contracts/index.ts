/**
 * Outcome contracts: data that defines when an episode has succeeded, evaluated from facts.
 * Pure: no browser, no files, no clock. This index is also the public subpath `waymark/contracts`.
 *
 * @example
 * import { evaluate, explain, parseContract, recordedWitness } from 'waymark/contracts';
 *
 * const parsed = parseContract({ kind: 'dom_text', selector: 'h1', contains: 'Thank you' });
 * if (!parsed.ok) throw new Error(parsed.problems.map(({ path, message }) => `${path}: ${message}`).join('\n'));
 * const evidence = await evaluate(parsed.contract, recordedWitness({ domText: { h1: 'Your cart' } }));
 * console.log(evidence.verdict, explain(evidence));
 */
export { compactFacts } from './compact-facts.ts';
export { contractHash } from './contract-hash.ts';
export { escapePattern } from './escape-pattern.ts';
export { evaluate } from './evaluate.ts';
export { evaluateFacts } from './evaluate-facts.ts';
export {
  type Evidence,
  type GroupEvidence,
  type LeafEvidence,
  leavesWithWanted,
  type NotEvidence,
  tallyLeaves,
} from './evidence.ts';
export { exactUrlOf } from './exact-url.ts';
export { explain } from './explain.ts';
export {
  type ControlFact,
  type DomFacts,
  type DomNeeded,
  type Exemplar,
  type Facts,
  type FactsNeeded,
  factsNeeded,
  factsSchema,
  type PageFacts,
  type PageNeeded,
  readsDom,
  type TextFact,
  type TextNeeded,
} from './facts.ts';
export { contractJsonSchema } from './json-schema.ts';
export type { Verdict } from './kleene.ts';
export { type LearntClass, learnClass } from './learn-class.ts';
export { isForgeable, leavesOf } from './leaves-of.ts';
export { DEADLINE_MS, MAX_SCRIPT_VALUE } from './limits.ts';
export { observe } from './observe.ts';
export { type ParsedContract, parseContract } from './parse-contract.ts';
export { type CompiledPattern, compilePattern, type Pattern } from './pattern.ts';
export { hammingDistance, nearestExemplar, type Picture, perceptualHash } from './perceptual-hash.ts';
export { childPath, type Problem } from './problem.ts';
export { type Contract as Assertion, type Contract, contractSchema } from './schema.ts';
export { type ParsedSelector, parseSelector } from './selector.ts';
export { recordedWitness, type Witness } from './witness.ts';
