/** `npm run bench:core [-- --json]`: measures the pure modules. It prints figures and is not a test, because machines are noisy. */
import { benchChain } from './core-chain.ts';
import { benchContracts } from './core-contracts.ts';
import { benchMetrics } from './core-metrics.ts';
import { benchReward } from './core-reward.ts';
import { printTable } from './measure.ts';

const sections = {
  contracts: await benchContracts(),
  reward: await benchReward(),
  metrics: await benchMetrics(),
  journal: benchChain(),
};
if (process.argv.includes('--json')) console.log(JSON.stringify(sections, undefined, 2));
else for (const [title, rows] of Object.entries(sections)) printTable(title, rows);
