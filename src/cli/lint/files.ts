/** Checks the files that a task names, its oracle and its recording, and whether its caps suffice for the oracle. */
import path from 'node:path';
import { readTranscript } from '../../agents/index.ts';
import { type LoadedTask, TASK_LIMITS } from '../../cases/index.ts';
import { readRecording } from '../../chromium/index.ts';
import { Secrets } from '../../episode/index.ts';
import { messageOf } from '../../errors/index.ts';
import type { Found, Rule } from './finding.ts';

/** Loading a page can take this long on a slow machine. */
const SHORT_MS = 3_000;

export const fileRules: Rule = (loaded) => [
  ...oracleFindings(loaded),
  ...recordingFindings(loaded),
  ...capFindings(loaded),
];

function oracleFindings({ task, folder }: LoadedTask): Found[] {
  const at = '$.oracle';
  if (task.oracle === undefined) {
    const message =
      'There is no oracle, so it is not shown that the task can be solved. Name a transcript that succeeds.';
    return [{ rule: 'no_oracle', path: at, message }];
  }
  try {
    const transcript = readTranscript(path.resolve(folder, task.oracle));
    const wrong = (rule: Found['rule'], message: string): Found => ({ rule, path: at, message });
    const named = new Secrets(Object.fromEntries((task.secrets ?? []).map((name) => [name, ''])));
    return [
      ...named
        .unknownIn(transcript.moves)
        .map((name) => wrong('bad_oracle', `The oracle uses the secret "${name}", which the task does not declare.`)),
      ...(transcript.task === task.id
        ? []
        : [wrong('wrong_oracle', `The transcript belongs to the task "${transcript.task}".`)]),
      ...(transcript.moves.length > task.maxSteps
        ? [
            wrong(
              'oracle_over_cap',
              `The oracle needs ${transcript.moves.length} moves, and maxSteps is ${task.maxSteps}.`,
            ),
          ]
        : []),
    ];
  } catch (error) {
    return [{ rule: 'bad_oracle', path: at, message: messageOf(error).replaceAll('\n', ' ') }];
  }
}

function recordingFindings({ task, folder }: LoadedTask): Found[] {
  if (task.network?.mode !== 'replay') return [];
  const at = '$.network.recording';
  try {
    const { entries } = readRecording(path.resolve(folder, task.network.recording));
    const { href } = new URL(task.startUrl);
    if (entries.some(({ url }) => new URL(url).href === href)) return [];
    const message = `The recording has no answer for the start URL ${task.startUrl}.`;
    return [{ rule: 'start_not_recorded', path: at, message }];
  } catch (error) {
    return [{ rule: 'bad_recording', path: at, message: messageOf(error) }];
  }
}

function capFindings({ task }: LoadedTask): Found[] {
  const caps = (path: string, message: string): Found => ({ rule: 'caps', path, message });
  return [
    ...(task.maxDurationMs < SHORT_MS
      ? [caps('$.maxDurationMs', `${task.maxDurationMs} ms may be over before the start page has loaded.`)]
      : []),
    ...(task.maxSteps === TASK_LIMITS.maxSteps
      ? [
          caps(
            '$.maxSteps',
            'This is the largest possible cap, and an agent that wanders will use all of it. Set what the task needs.',
          ),
        ]
      : []),
  ];
}
