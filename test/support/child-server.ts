/** `waymark serve` with the tests' room in it: the same command, the same signals. */
import { runCommandLine } from '../../src/cli/run.ts';
import { processTerminal } from '../../src/cli/terminal.ts';
import { routeModules } from '../../src/server/route-modules.ts';
import { testRoom } from './test-route-module.ts';

(routeModules as unknown as { push: (room: typeof testRoom) => void }).push(testRoom);
// As main.ts has it.
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));
process.exitCode = await runCommandLine(['serve', ...process.argv.slice(2)], processTerminal());
