/**
 * Generates the transcripts in docs/recovery/: a real episode in a real browser, with the reward and the ledger entry of each step.
 * Run: `node scripts/make-reward-transcript.ts`. A test runs it too and compares the result with the pages.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { TaskInput } from '../src/cases/index.ts';
import type { ToolCall } from '../src/episode/index.ts';
import type { EventOf, JournalEvent } from '../src/events/index.ts';
import { isStep, ledgerLines } from '../src/events/index.ts';
import { type Lab, openLab } from '../test/support/lab.ts';
import { click, moves, play, read, task } from '../test/support/stage.ts';

const BEGIN = '<!-- made by scripts/make-reward-transcript.ts -->';
const END = '<!-- end -->';
const folder = path.resolve(import.meta.dirname, '../docs/recovery');

export interface RecoveryPages {
  'reward-scorer.md': string;
  'trajectory-ledger.md': string;
}

/** A wrong step, the same again, an observation, a needless observation, then the steps that succeed. */
const missing: ToolCall = { tool: 'interact', arguments: { action: 'click', selector: '#not-there', timeoutMs: 100 } };
const WAY: readonly ToolCall[] = [
  missing,
  missing,
  read,
  read,
  click('#advance'),
  click('#advance'),
  click('#advance'),
];

export async function recoveryPages(lab: Lab): Promise<RecoveryPages> {
  const input: TaskInput = task(lab, '/recovery/progress-positive', {
    success: {
      kind: 'and',
      children: [
        { kind: 'url', pattern: '#progress-3$' },
        { kind: 'dom_text', selector: '#result', contains: 'Arrived.' },
      ],
    },
  });
  const { events, result } = await play(lab, input, moves(...WAY), { screenshots: false });
  const steps = stepsOf(events);
  return {
    'reward-scorer.md': [
      `The task starts at \`/recovery/progress-positive\` of the fixture server. It ended as \`${result.status}\` after ${result.steps} steps.`,
      '',
      '| step | call | answer | contract | score | adds to the sum | class | reasons |',
      '|---|---|---|---|---|---|---|---|',
      ...steps.map(row),
    ].join('\n'),
    'trajectory-ledger.md': ['```jsonl', ledgerLines(events).trimEnd(), '```'].join('\n'),
  };
}

interface Step {
  call: EventOf<'tool_call'>;
  result: EventOf<'tool_result'>;
  verdict: EventOf<'contract_eval'>;
  reward: EventOf<'reward'>;
}

function stepsOf(events: readonly JournalEvent[]): Step[] {
  const about = <T extends JournalEvent['type']>(type: T, callId: string): EventOf<T> => {
    const found = events.find((event) => event.type === type && 'callId' in event && event.callId === callId);
    if (!found) throw new Error(`no ${type} of ${callId}`);
    return found as EventOf<T>;
  };
  return events
    .filter((event): event is EventOf<'tool_call'> => event.type === 'tool_call' && isStep(event))
    .map((call) => ({
      call,
      result: about('tool_result', call.callId),
      verdict: about('contract_eval', call.callId),
      reward: about('reward', call.callId),
    }));
}

function row({ call, result, verdict, reward }: Step): string {
  const { action, selector } = call.arguments as { action?: string; selector?: string };
  const said = [call.tool, action, selector].filter((part) => part !== undefined).join(' ');
  const answer = result.isError ? `error: ${result.errorKind}` : 'ok';
  const reasons = reward.reasons.map(({ signal, weight, evidence }) => `${signal} ${weight} (${evidence})`).join('; ');
  const { score, contribution = 0, classification } = reward;
  const adds = Math.round(contribution * 1000) / 1000;
  const cells = [call.step, `\`${said}\``, answer, verdict.verdict, score, adds, classification, reasons];
  return `| ${cells.join(' | ')} |`;
}

/** The generated part of a page; undefined if the page has none. */
export function madePart(page: string): string | undefined {
  const begin = page.indexOf(BEGIN);
  const end = page.indexOf(END, begin);
  return begin < 0 || end < 0 ? undefined : page.slice(begin + BEGIN.length, end).trim();
}

if (import.meta.main) {
  await using lab = await openLab({ slots: 1 });
  for (const [name, made] of Object.entries(await recoveryPages(lab))) {
    const file = path.join(folder, name);
    const page = readFileSync(file, 'utf8');
    const old = madePart(page);
    if (old === undefined) throw new Error(`${name} has no generated part: ${BEGIN} … ${END}`);
    const [before, after] = [page.slice(0, page.indexOf(BEGIN)), page.slice(page.indexOf(END))];
    writeFileSync(file, `${before}${BEGIN}\n\n${made}\n\n${after}`);
    console.log(path.relative(process.cwd(), file));
  }
}
