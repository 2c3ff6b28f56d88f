/** A worker with little memory: `node write-long-attempt.ts <module> <json> <run-id>`. The module opens the store; the journal has 150 MB. */
import type { RunStore } from '../../src/runs/index.ts';
import { note, STOP, startOf } from './attempts.ts';

const [module = '', json = '', runId = ''] = process.argv.slice(2);
const { openStore }: { openStore(options: unknown): Promise<RunStore> } = await import(module);
const store = await openStore(JSON.parse(json));
const [claim] = await store.claim(runId, 'child', 1);
if (!claim) throw new Error('a cell is open');
const writer = await store.open(claim);
writer.append(startOf(claim.attempt));
for (let event = 0; event < 300; event++) {
  writer.append(note('x'.repeat(500_000)));
  // Those of the beginning: all of them as rows would only take time.
  if (event < 5) await writer.flush();
}
writer.append(STOP);
await writer.finish();
process.exit(0);
