/** `npm run soak [-- --contexts 1000] [--slots 4] [--browser shell|chrome|path] [--json]` */
import { parseArgs } from 'node:util';
import { soak } from './soak-contexts.ts';

const { values } = parseArgs({
  options: {
    contexts: { type: 'string', default: '1000' },
    slots: { type: 'string', default: '4' },
    browser: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});

const result = await soak({
  contexts: Number(values.contexts),
  slots: Number(values.slots),
  browser: values.browser,
  onProgress: ({ done, seconds, browserMiB, harnessMiB, processes }) => {
    const line = `${done} contexts  ${seconds.toFixed(0)} s  browser ${browserMiB.toFixed(0)} MiB (${processes} processes)  harness ${harnessMiB.toFixed(0)} MiB`;
    process.stderr.write(`${line}\n`);
  },
});

if (values.json) console.log(JSON.stringify(result, undefined, 2));
else {
  const first = result.samples[0];
  const last = result.samples.at(-1);
  console.log(`\n${result.contexts} contexts on ${result.browser} in ${result.seconds.toFixed(1)} s`);
  console.log(
    `kinds dirtied: ${Object.entries(result.dirtied)
      .map(([kind, n]) => `${kind} ${n}`)
      .join(', ')}`,
  );
  console.log(
    `leaks found: ${result.leaks.length}${result.leaks.length ? ` (${[...new Set(result.leaks)].join('; ')})` : ''}`,
  );
  console.log(`processes left: ${result.processesLeft}, profile folders left: ${result.profilesLeft}`);
  console.log(
    `memory after the first tenth → at the end: browser ${first?.browserMiB.toFixed(0)} → ${last?.browserMiB.toFixed(0)} MiB, harness ${first?.harnessMiB.toFixed(0)} → ${last?.harnessMiB.toFixed(0)} MiB`,
  );
}
process.exitCode = result.leaks.length === 0 && result.processesLeft === 0 && result.profilesLeft === 0 ? 0 : 1;
