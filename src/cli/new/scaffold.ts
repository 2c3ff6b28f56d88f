/** The files of a new task, by file name; the task comes first. */
import { TRANSCRIPT_FORMAT } from '../../agents/index.ts';
import type { TaskInput } from '../../cases/index.ts';
import { RECORDING_FORMAT } from '../../chromium/index.ts';

/** A reserved name: the page comes from the recording, with or without a network. */
const PAGE = 'https://greeting.example/';

export function scaffold(id: string, url: string | undefined): Record<string, unknown> {
  return url === undefined ? onOwnPage(id) : onSite(id, url);
}

function onOwnPage(id: string): Record<string, unknown> {
  const task: TaskInput = {
    id,
    title: 'Greet a person',
    startUrl: PAGE,
    goal: 'Enter the name Ada and have her greeted.',
    maxSteps: 10,
    maxDurationMs: 30_000,
    success: { kind: 'dom_text', selector: '#greeting', contains: 'Hello, Ada!' },
    network: { mode: 'replay', recording: `${id}.recording.json` },
    oracle: `${id}.transcript.json`,
  };
  return {
    [`${id}.task.json`]: task,
    [`${id}.transcript.json`]: {
      format: TRANSCRIPT_FORMAT,
      task: id,
      about: 'Moves that are known to succeed.',
      moves: [
        { action: { action: 'type', target: { selector: '#name' }, text: 'Ada' } },
        { action: { action: 'click', target: { role: 'button', name: 'Greet' } } },
      ],
    },
    [`${id}.recording.json`]: {
      format: RECORDING_FORMAT,
      source: 'Written by `waymark new task`.',
      entries: [
        { method: 'GET', url: PAGE, status: 200, headers: [['content-type', 'text/html; charset=utf-8']], body: BODY },
      ],
    },
  };
}

const BODY = `<!doctype html>
<html lang="en">
<title>Greeting</title>
<h1>Greeting</h1>
<label>Name <input id="name"></label>
<button id="greet">Greet</button>
<p id="greeting" role="status"></p>
<script>
document.getElementById('greet').addEventListener('click', () => {
  document.getElementById('greeting').textContent = 'Hello, ' + document.getElementById('name').value + '!';
});
</script>
</html>
`;

function onSite(id: string, url: string): Record<string, unknown> {
  const task: TaskInput = {
    id,
    title: 'TODO: the task in a few words',
    startUrl: url,
    goal: 'TODO: what the agent should do, in ordinary words.',
    maxSteps: 20,
    maxDurationMs: 60_000,
    success: { kind: 'dom_text', contains: 'TODO: words that appear only when the task is done' },
    oracle: `${id}.transcript.json`,
  };
  return {
    [`${id}.task.json`]: task,
    [`${id}.transcript.json`]: {
      format: TRANSCRIPT_FORMAT,
      task: id,
      about: 'TODO: the moves that succeed.',
      moves: [{ action: { action: 'read' } }],
    },
  };
}
