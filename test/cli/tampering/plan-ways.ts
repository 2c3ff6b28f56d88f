/** Changes of the plan of a run. */
import { hashOf } from '../../../src/runs/run-inputs.ts';
import { type Change, edit, remove, type Way } from './change.ts';

interface Stored {
  endedAt: string;
  plan: {
    runId: string;
    createdAt: number;
    trials: number;
    cells: { caseId: string; trial: number }[];
    inputs: { hash: string; of: Record<string, unknown> };
    oracleSteps: Record<string, number>;
  };
}

const runFile = (change: (run: Stored) => void): Change =>
  edit('run.json', (text) => {
    const run = JSON.parse(text) as Stored;
    change(run);
    return JSON.stringify(run, null, 2);
  });

/** Takes a task out of the plan and of its inputs. */
function without(task: string, run: Stored): void {
  run.plan.cells = run.plan.cells.filter(({ caseId }) => caseId !== task);
  for (const name of Object.keys(run.plan.inputs.of)) if (name.endsWith(` ${task}`)) delete run.plan.inputs.of[name];
}

export const PLAN_WAYS: readonly Way[] = [
  [
    'a task taken out of the plan',
    runFile(({ plan }) => {
      plan.cells = plan.cells.slice(0, 1);
    }),
    true,
  ],
  ['a task taken out of plan and inputs', runFile((run) => without('confirm-dialog', run)), true],
  [
    'a task taken out with a new hash',
    runFile((run) => {
      without('confirm-dialog', run);
      run.plan.inputs.hash = hashOf(run.plan.inputs.of);
    }),
    true,
  ],
  [
    'a task taken out with hash and folder',
    (root) => {
      runFile((run) => {
        without('confirm-dialog', run);
        run.plan.inputs.hash = hashOf(run.plan.inputs.of);
      })(root);
      remove('episodes/confirm-dialog')(root);
    },
    true,
  ],
  [
    'a task put into the plan',
    runFile(({ plan }) => {
      plan.cells.push({ caseId: 'other', trial: 1 });
    }),
    true,
  ],
  [
    'a second trial of one task',
    runFile(({ plan }) => {
      plan.cells.push({ caseId: 'send-form', trial: 3 });
    }),
    true,
  ],
  [
    'the number of trials',
    runFile(({ plan }) => {
      plan.trials = 5;
    }),
    true,
  ],
  [
    'an input',
    runFile(({ plan }) => {
      plan.inputs.of['until-done'] = true;
    }),
    true,
  ],
  [
    'a cap in the inputs with a new hash',
    runFile(({ plan }) => {
      plan.inputs.of['maxSteps of send-form'] = 9;
      plan.inputs.hash = hashOf(plan.inputs.of);
    }),
    true,
  ],
  [
    'the id of the run',
    runFile(({ plan }) => {
      plan.runId = 'another';
    }),
    true,
  ],
  [
    'when the run ended',
    runFile((run) => {
      run.endedAt = '2020-01-01T00:00:00.000Z';
    }),
    false,
  ],
  [
    'when the run began',
    runFile(({ plan }) => {
      plan.createdAt -= 1000;
    }),
    false,
  ],
  [
    'the length of an oracle',
    runFile(({ plan }) => {
      plan.oracleSteps = { 'send-form': 1 };
    }),
    false,
  ],
];
