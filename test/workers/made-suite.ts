/** A suite that is a folder of its own, with a page that it brings along: all that a worker on another machine gets. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const FIXTURE = `
import { once } from 'node:events';
import { createServer } from 'node:http';
import { page } from './site/page.mjs';

export default async function start() {
  const server = createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(page);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    resolverRules: \`MAP list.test 127.0.0.1:\${server.address().port}\`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
`;

const PAGE = `
export const page = \`<!doctype html>
<title>List</title>
<h1>List</h1>
<input id="item" aria-label="Item">
<button id="add">Add</button>
<ul id="list"></ul>
<script>
document.getElementById('add').addEventListener('click', () => {
  const line = document.createElement('li');
  line.textContent = document.getElementById('item').value;
  document.getElementById('list').append(line);
});
</script>\`;
`;

export interface MadeTask {
  readonly id: string;
  /** How long its oracle waits in the middle. */
  readonly waitMs?: number;
  /** A secret that its oracle types, and that a worker must have. */
  readonly secret?: string;
  /** Another page than that of the suite. */
  readonly startUrl?: string;
}

/** @returns the folder. */
export function makeSuite(folder: string, tasks: readonly MadeTask[]): string {
  mkdirSync(path.join(folder, 'site'), { recursive: true });
  writeFileSync(path.join(folder, 'fixture.mjs'), FIXTURE);
  writeFileSync(path.join(folder, 'site', 'page.mjs'), PAGE);
  for (const { id, waitMs = 0, secret, startUrl = 'http://list.test/' } of tasks) {
    const task = {
      id,
      title: 'Put something on the list',
      startUrl,
      goal: 'Put Milk on the list.',
      maxSteps: 10,
      maxDurationMs: 30_000,
      success: { kind: 'dom_count', selector: '#list li', op: 'eq', value: 1 },
      ...(secret === undefined ? {} : { secrets: [secret] }),
      oracle: `${id}.transcript.json`,
    };
    const text = secret === undefined ? 'Milk' : `{{secret:${secret}}}`;
    const moves = [
      { action: { action: 'type', target: { selector: '#item' }, text } },
      ...(waitMs > 0 ? [{ action: { action: 'wait', ms: waitMs } }] : []),
      { action: { action: 'click', target: { selector: '#add' } } },
    ];
    writeFileSync(path.join(folder, `${id}.task.json`), JSON.stringify(task));
    const transcript = { format: 'waymark.transcript.v1', task: id, moves };
    writeFileSync(path.join(folder, `${id}.transcript.json`), JSON.stringify(transcript));
  }
  return folder;
}
