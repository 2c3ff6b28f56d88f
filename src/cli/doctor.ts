/** `waymark doctor`: checks whether this machine is ready, and how to fix it if not. */
import { reapOrphans, stateFolder } from '../chromium/index.ts';
import { reapServers } from '../tools/index.ts';
import { defineCommand } from './command.ts';
import { checkBrowser, checkSandbox } from './doctor/browser.ts';
import type { Check } from './doctor/check.ts';
import { checkDisk, checkRunFolder, checkStateFolder } from './doctor/folders.ts';
import { checkModelKeys, checkPostgres, checkToolServers } from './doctor/optional.ts';
import { checkOrphans } from './doctor/orphans.ts';
import { checkPathNode } from './doctor/path-node.ts';
import { renderChecks } from './doctor/render.ts';
import { EXIT } from './exit-code.ts';
import { version } from './version.ts';

export const doctor = defineCommand({
  name: 'doctor',
  about: [
    'checks whether this machine is ready, and how to fix it if not.',
    'Starts the browser once. Ends browsers and tool servers that a killed run left behind, and names them. Prints the names of keys, never their values.',
    'Exit code 1 when a required part is missing.',
  ].join('\n'),
  flags: {
    browser: {
      type: 'string',
      value: '<shell|chrome|path|address>',
      about: 'the browser to check; default: the one that is found',
    },
    json: { type: 'boolean', about: 'print one JSON object and nothing else' },
  },
  examples: [
    { line: 'waymark doctor', does: 'check everything' },
    { line: 'waymark doctor --browser chrome', does: 'check the full Chromium instead of the headless shell' },
    { line: 'waymark doctor --json', does: 'the same for a script' },
  ],
  async run(flags, terminal) {
    const { env, cwd } = terminal;
    const folder = () => stateFolder(env);
    const checks: Check[] = [
      checkNode(),
      checkStateFolder(folder),
      // Before the browser check, because leftovers of a killed run may prevent a start.
      checkOrphans(
        () => reapOrphans(folder()),
        () => reapServers(folder()),
      ),
      await checkBrowser({ wanted: flags.browser, env }),
      checkSandbox(process.getuid?.()),
      checkRunFolder(cwd),
      checkDisk(cwd),
      await checkPathNode(env),
      checkToolServers(cwd),
      checkPostgres(env),
      checkModelKeys(env),
    ];
    const ok = checks.every(({ status }) => status !== 'problem');
    terminal.out(
      flags.json
        ? `${JSON.stringify({ ok, version: version(), checks }, null, 2)}\n`
        : renderChecks(checks, terminal.paint),
    );
    return ok ? EXIT.ok : EXIT.checkFailed;
  },
});

/** main.ts has already refused older versions; this row only shows the version. */
function checkNode(): Check {
  return {
    id: 'node',
    title: 'Node',
    required: true,
    status: 'ok',
    found: process.version,
    details: { path: process.execPath },
  };
}
