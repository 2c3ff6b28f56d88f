/** The tree of recovery search: at each fork, what was tried, what it earned, and what was carried out. */
import type { RecoveryFork, RecoverySearches } from '../../events/index.ts';
import { short } from '../../view/index.ts';
import { signed } from './charts.ts';
import { type Html, html } from './html.ts';

export function recoverySection(searches: RecoverySearches): Html {
  const { limit, replays, calls, durationMs, substituted, forks } = searches;
  return html`<section class="recovery"><h3>Recovery search</h3>
<p>${counted(forks.length, 'search', 'searches')}, ${replays} of ${limit} replays with ${counted(calls, 'call', 'calls')} in ${(durationMs / 1000).toFixed(1)} s, none of it charged to the agent. At ${counted(substituted, 'step', 'steps')} the harness made another call than the agent’s.</p>
${forks.length > 0 && html`<ol class="forks">${forks.map(forkItem)}</ol>`}
</section>`;
}

function forkItem({ step, trigger, prefix, candidates, chosen }: RecoveryFork): Html {
  return html`<li><p><b>Step ${step}</b>, after ${trigger === 'error' ? 'an error' : 'a stall'}; ${counted(prefix, 'call', 'calls')} replayed.</p>
<div class="scroll" role="region" aria-label="Candidates at step ${step}" tabindex="0"><table class="episodes candidates"><thead><tr><th scope="col">from</th><th scope="col">call</th><th scope="col">score</th><th scope="col">outcome</th></tr></thead><tbody>
${candidates.map((candidate, index) => row(candidate, index === chosen))}
</tbody></table></div></li>
`;
}

function row(
  { from, tool, arguments: args, score, rank, ...how }: RecoveryFork['candidates'][number],
  isChosen: boolean,
) {
  const why = how.reason ?? [how.classification, ...(rank?.reasons ?? [])].join('; ');
  return html`<tr${isChosen && html` class="chosen"`}><td>${from === 'agent' ? 'agent' : 'harness'}</td><td><code>${tool}</code> <span class="faint">${short(JSON.stringify(args ?? {}), 200)}</span>${isChosen && html` <span class="chip good">carried out</span>`}</td><td class="number">${score === undefined ? '–' : signed(score)}</td><td>${how.outcome === 'known' ? 'tried before' : how.outcome} <span class="faint">${why}</span></td></tr>
`;
}

function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}
