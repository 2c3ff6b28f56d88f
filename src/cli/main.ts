#!/usr/bin/env node
/** The `waymark` command. Nothing is imported before the check, so that an old Node prints a message and not a syntax error. */
const OLDEST_NODE = 24;

if (Number.parseInt(process.versions.node, 10) < OLDEST_NODE) {
  console.error(`waymark needs Node ${OLDEST_NODE} or later; this is Node ${process.versions.node}.`);
  console.error(
    'Install a newer version from https://nodejs.org, or add it to your project: npm install --save-dev node@24',
  );
  process.exitCode = 3;
} else {
  // Before the rest is loaded, which takes a moment: a signal that comes in it must not be lost.
  const { holdStopSignals } = await import('./stop-signals.ts');
  holdStopSignals();
  // Compiled code is kept between runs: half of what a short command takes is compiling modules.
  process.getBuiltinModule('node:module').enableCompileCache();
  const { runCommandLine } = await import('./run.ts');
  const { processTerminal } = await import('./terminal.ts');
  process.exitCode = await runCommandLine(process.argv.slice(2), processTerminal());
}
