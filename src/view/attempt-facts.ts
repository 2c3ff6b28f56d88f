/** The numbers and the provenance of an attempt, as rows of texts. */
import type { EpisodeResult } from '../events/index.ts';
import type { TokenSummary } from '../metrics/index.ts';
import { costText, seconds, tokenText, UNKNOWN } from './amounts.ts';
import type { EpisodeView } from './episode-view.ts';

export type FactRow = [name: string, value: string];

export function attemptNumbers(result: EpisodeResult): FactRow[] {
  const { wandering, recovery, lastToolCall } = result;
  return [
    ['Calls, of agent and harness', `${result.toolCalls}`],
    ['Errors of the tool server', `${result.openchromeErrors}`],
    [
      'First tool',
      `${result.firstTool ?? 'none'}${result.firstToolAsExpected === false ? ', not the expected one' : ''}`,
    ],
    ['Times without progress', `${result.noProgressEpisodes}`],
    ['Repeated loops (steps)', `${wandering.repeatedLoops} (${wandering.loopedSteps})`],
    ['Moves to a state visited before', shareText(wandering.revisitedStateRatio)],
    ['Actions without effect', `${wandering.actionsWithoutEffect}`],
    ['Steps without reward', `${wandering.stepsWithoutReward ?? UNKNOWN}`],
    ['Steps after the contract held', `${wandering.stepsAfterContractHeld}`],
    ['Path efficiency', shareText(wandering.pathEfficiency)],
    ...tokenRows(result),
    ...usageRows(result),
    ['Recovered after failures', `${recovery.recovered} of ${recovery.failures}`],
    [
      'Last call',
      lastToolCall ? `${lastToolCall.tool} ${JSON.stringify(lastToolCall.arguments ?? {}).slice(0, 200)}` : 'none',
    ],
    ['Final URL', result.finalUrl || 'none'],
  ];
}

/** Null is unknown, and never zero. */
function shareText(share: number | null): string {
  return share === null ? '–' : `${Math.round(share * 100)} %`;
}

/** Estimates: the model under test may count otherwise. */
function tokenRows({ tokens }: EpisodeResult): FactRow[] {
  if (tokens === undefined) return [];
  const row = ({ total, median, max, count }: TokenSummary, what: string): string =>
    count === 0 ? 'none' : `${total} in ${count} ${what} (median ${median}, most ${max})`;
  return [
    ['Tokens read (estimate)', row(tokens.perObservation, 'observations')],
    ['Tokens written (estimate)', row(tokens.perCall, 'calls')],
  ];
}

/** As the providers report them. */
function usageRows({ usage, roles = [] }: EpisodeResult): FactRow[] {
  if (!usage) return [];
  const times = roles.map(({ thinkingMs }) => thinkingMs).filter((ms) => ms !== null);
  const thinking = times.length === 0 ? UNKNOWN : seconds(times.reduce((sum, ms) => sum + ms, 0));
  const tools = seconds(roles.reduce((sum, { toolMs }) => sum + toolMs, 0));
  return [
    ['Calls of models', `${usage.calls} (${usage.models.join(', ')})`],
    ['Tokens used', `${tokenText(usage.inputTokens)} in, ${tokenText(usage.outputTokens)} out`],
    ['Cost', `${costText(usage.costUsd)}${usage.priceTable === undefined ? '' : ` by ${usage.priceTable}`}`],
    ['Time of models, of tools', `${thinking}, ${tools}`],
  ];
}

export function attemptProvenance(result: EpisodeResult, { start, reset }: EpisodeView): FactRow[] {
  const { hashes, environment, server, agent } = result;
  const task: { startUrl?: unknown } = Object(start.task);
  return [
    ['Start', String(task.startUrl ?? '')],
    ['Reset', reset ? `${resetText(reset)}, ${Math.round(reset.durationMs)} ms` : 'none'],
    ['Task', hashes.task],
    ['Contract', hashes.contract],
    ['Scorer', hashes.scorer],
    ['Constants', hashes.constants],
    ['Agent', `${agent.kind}${agent.name === undefined ? '' : ` ${agent.name}`}`],
    ['Server', `${server.name} ${server.version ?? ''} (${server.transport}, isolation: ${server.isolation})`],
    ['Browser', environment.browser ? `${environment.browser.product} (${environment.browser.kind})` : 'none'],
    ['Waymark, Node, platform', `${environment.waymark}, ${environment.node}, ${environment.platform}`],
  ];
}

function resetText({ ok, unproved, findings }: NonNullable<EpisodeView['reset']>): string {
  if (unproved) return 'not proved, because the server has its own browser';
  return ok ? 'proved clean' : findings.join('; ');
}

/** Files beside the report; those that are there. */
export function attemptFiles({ artifacts }: EpisodeResult): FactRow[] {
  const files: [string, string | undefined][] = [
    ['Journal', artifacts.eventsJsonl],
    ['Messages', artifacts.messagesJsonl],
    ['Ledger of attempts', artifacts.ledgerJsonl],
    ['Metadata', artifacts.metadataJson],
  ];
  return files.flatMap(([name, file]) => (file === undefined ? [] : [[name, file]]));
}
