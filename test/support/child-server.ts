/** `waymark serve` with the route module of the tests: the same command and the same signals. */
import { runCommandLine } from '../../src/cli/run.ts';
import { holdStopSignals } from '../../src/cli/stop-signals.ts';
import { processTerminal } from '../../src/cli/terminal.ts';
import { routeModules } from '../../src/server/route-modules.ts';
import { testRoutes } from './test-route-module.ts';

(routeModules as unknown as { push: (module: typeof testRoutes) => void }).push(testRoutes);
// As main.ts has it.
holdStopSignals();
process.exitCode = await runCommandLine(['serve', ...process.argv.slice(2)], processTerminal());
