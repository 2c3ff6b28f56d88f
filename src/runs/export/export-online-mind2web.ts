/**
 * Result folders as the judge of Online-Mind2Web reads them: `<task>/result.json` and `<task>/trajectory/<n>_full_screenshot.jpg`, in the order of
 * the numbers. The format knows one result per task: further trials go into folders of their own.
 */
import path from 'node:path';
import type { EpisodeTaskSpec } from '../../cases/index.ts';
import { type EventOf, isStep, type JournalEvent } from '../../events/index.ts';
import { putJson } from '../../journal/index.ts';
import { readRunFile } from '../folder/run-file.ts';
import { copyPicture, makeFolder } from './export-files.ts';
import { type Exported, type ExportedAttempt, exportedAttempts, refuseQuestions } from './exported-attempts.ts';

interface OnlineMind2WebResult {
  task_id: string;
  task: string;
  final_result_response: string;
  action_history: string[];
  thoughts: string[];
}

export async function exportOnlineMind2Web(root: string, out: string): Promise<Exported> {
  refuseQuestions(root, 'online-mind2web');
  const { trials } = readRunFile(root).plan;
  let attempts = 0;
  for await (const attempt of exportedAttempts(root)) {
    const trial = trials > 1 ? [`trial-${attempt.trial}`] : [];
    const folder = path.join(out, ...trial, attempt.folder.split(path.sep)[1] ?? '');
    makeFolder(path.join(folder, 'trajectory'));
    let number = 0;
    for (const picture of picturesOf(attempt.events)) {
      const to = path.join(folder, 'trajectory', `${number}_full_screenshot${path.extname(picture)}`);
      if (copyPicture(path.join(root, attempt.folder), picture, to)) number++;
    }
    putJson(path.join(folder, 'result.json'), onlineMind2WebResult(attempt));
    attempts++;
  }
  return { format: 'online-mind2web', attempts, to: out };
}

function onlineMind2WebResult({ start, result, events }: ExportedAttempt): OnlineMind2WebResult {
  const actions = actionsOf(events);
  return {
    task_id: start.taskId,
    task: (start.task as EpisodeTaskSpec).goal,
    final_result_response: result.answer ?? '',
    action_history: actions.map(({ call }) => `${call.tool} ${JSON.stringify(call.arguments ?? {})}`),
    thoughts: actions.map(({ thought }) => thought),
  };
}

/** The steps of the agent, each with what it said before it. */
function actionsOf(events: readonly JournalEvent[]): { call: EventOf<'tool_call'>; thought: string }[] {
  let thought = '';
  return events.flatMap((event) => {
    if (event.type === 'message' && event.message.type === 'assistant') thought = event.message.content;
    if (event.type !== 'tool_call' || !isStep(event)) return [];
    const said = thought;
    thought = '';
    return [{ call: event, thought: said }];
  });
}

/** In the order in which they were taken; the same picture again is taken once more. */
function picturesOf(events: readonly JournalEvent[]): string[] {
  return events.flatMap((event) => (event.type === 'screenshot' && event.file !== undefined ? [event.file] : []));
}
