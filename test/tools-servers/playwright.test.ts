import { afterAll, beforeAll, describe, test } from 'vitest';
import type { Slot } from '../../src/chromium/index.ts';
import { attachServer } from '../../src/tools/profiles/attach-server.ts';
import { profileOf } from '../../src/tools/profiles/profile-of.ts';
import { type Lab, openLab } from '../support/lab.ts';
import { Stage } from './support/run-scenario.ts';
import { SCENARIOS } from './support/scenarios.ts';

let lab: Lab;
let slot: Slot;
let stage: Stage;
beforeAll(async () => {
  lab = await openLab({ slots: 1 });
  slot = await lab.slot();
  stage = new Stage(await attachServer(profileOf('playwright'), slot), slot, lab.server.origin);
});
afterAll(async () => {
  await stage.server.dispose();
  await lab[Symbol.asyncDispose]();
});

describe('canonical actions through playwright', () => {
  for (const scenario of SCENARIOS) test(scenario.name, () => stage.run(scenario), 30_000);
});
