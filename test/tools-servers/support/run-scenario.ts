/** Runs a scenario on a server, while the harness's own connection looks at the page. */
import { expect } from 'vitest';
import type { Slot } from '../../../src/chromium/index.ts';
import type { CanonicalAction } from '../../../src/tools/canonical/action.ts';
import { type Performed, performAction } from '../../../src/tools/canonical/perform.ts';
import { newRenderContext, type RenderContext } from '../../../src/tools/canonical/plan.ts';
import type { AttachedServer } from '../../../src/tools/profiles/attach-server.ts';
import { evaluate } from '../../support/lab.ts';
import type { Scenario, ServerName } from './scenarios.ts';

export class Stage {
  readonly server: AttachedServer;
  readonly slot: Slot;
  readonly origin: string;
  readonly context: RenderContext;

  constructor(server: AttachedServer, slot: Slot, origin: string) {
    this.server = server;
    this.slot = slot;
    this.origin = origin;
    this.context = newRenderContext(server.client);
  }

  do(action: CanonicalAction): Promise<Performed> {
    return performAction(action, this.server.profile, this.server.client, this.context, { timeoutMs: 20_000 });
  }

  /** Everything must be done, or it says what was not. */
  async must(action: CanonicalAction): Promise<Performed> {
    const performed = await this.do(action);
    expect(performed.ok, `${JSON.stringify(action)}: ${JSON.stringify(performed.end)} ${performed.text}`).toBe(true);
    return performed;
  }

  async run(scenario: Scenario): Promise<void> {
    await this.must({ action: 'navigate', url: `${this.origin}${scenario.page}` });
    const name = this.server.profile.name as ServerName;
    const sentence = scenario.unsupported?.[name];
    for (const action of scenario.actions) {
      const done = sentence === undefined ? await this.must(action) : await this.do(action);
      if (sentence === undefined || done.ok) continue;
      expect(done).toMatchObject({ end: { status: 'unsupported', sentence } });
      return;
    }
    expect(sentence, 'it was done after all').toBeUndefined();
    const [expression, value] = scenario.expect;
    expect(await evaluate(this.slot, expression)).toEqual(value);
  }
}
