/** `waymark run --list` and `--preview`: what would be run. Nothing is started and nothing is written. */
import { previewRun, type RunPreview, type TaskRun } from '../runs/tasks.ts';
import { durationText } from './duration-text.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import type { Terminal } from './terminal.ts';

export interface ShownPlan {
  readonly list?: boolean | undefined;
  readonly json?: boolean | undefined;
  readonly retries?: number | undefined;
  readonly allowUnknownCost?: boolean | undefined;
}

export function showPlan(run: TaskRun, shown: ShownPlan, terminal: Terminal): ExitCode {
  if (shown.list) {
    const tasks = [...run.tasks.values()].map(({ task: { id, title, tags = [], category, maxSteps }, source }) => ({
      id,
      title,
      tags,
      ...(category === undefined ? {} : { category }),
      maxSteps,
      trials: run.plan.trials,
      source,
    }));
    const lines = tasks.map(
      ({ id, tags, title }) => `${id}  ${title}${tags.length > 0 ? `  [${tags.join(', ')}]` : ''}\n`,
    );
    terminal.out(shown.json ? `${JSON.stringify({ tasks }, null, 2)}\n` : lines.join(''));
    return EXIT.ok;
  }
  const preview = previewRun(run, shown);
  terminal.out(shown.json ? `${JSON.stringify(preview, null, 2)}\n` : previewText(preview, terminal));
  return EXIT.ok;
}

function previewText(preview: RunPreview, { paint }: Terminal): string {
  const { tasks, trials, episodes, workers, worstCase, caps, retries, shard } = preview;
  const limits = Object.entries({
    'tokens per attempt': caps.maxTokens,
    'dollars per attempt': caps.maxCost,
    'tokens per run': caps.maxRunTokens,
    'dollars per run': caps.maxRunCost,
  }).flatMap(([what, cap]) => (cap === undefined ? [] : [`${cap.toLocaleString('en')} ${what}`]));
  const rows: [string, string][] = [
    ['episodes', `${episodes} (${tasks} tasks × ${trials} trials)${shard === undefined ? '' : `, shard ${shard}`}`],
    ['agent', preview.agent],
    ['server', preview.server],
    ['workers', `${workers}, isolation ${preview.isolation}`],
    ['retries', retries === 0 ? 'none' : `${retries} per episode`],
    ['caps', limits.length === 0 ? 'steps and time only' : limits.join(', ')],
    ['at most', `${worstCase.attempts} attempts, ${worstCase.steps} steps, ${durationText(worstCase.durationMs)}`],
    ['tokens', worstCase.tokens === null ? 'not known: no cap' : `at most ${worstCase.tokens.toLocaleString('en')}`],
    [
      'cost',
      worstCase.costUsd === null
        ? 'not known: no cap that can be enforced'
        : `at most $${dollarsText(worstCase.costUsd)}`,
    ],
    ['inputs', preview.inputs],
  ];
  return `${rows.map(([name, text]) => `${paint('bold', name.padEnd(8))}  ${text}\n`).join('')}Nothing was run.\n`;
}

function dollarsText(usd: number): string {
  return usd === 0 ? '0' : usd.toFixed(2);
}
