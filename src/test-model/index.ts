/** A test model: a local HTTP server that speaks the protocols of model vendors and plays policies, so that agents can be tried without a key. */
export { FAULT_NAMES, FAULTS, type FaultChoice } from './faults.ts';
export { parseFault } from './model-name.ts';
export { isPolicyName, POLICIES, type PolicyName } from './policies/index.ts';
export type { KnownTask } from './policies/known-task.ts';
export { startTestModel, type TestModel } from './start-test-model.ts';
