/** OpenChrome's profile against a stand-in with its real schemas and answers: it is not on npm. */
import path from 'node:path';
import { expect, test } from 'vitest';
import { scripted, TRANSCRIPT_FORMAT } from '../../src/agents/index.ts';
import { profileOf } from '../../src/tools/profiles/profile-of.ts';
import type { ServerChoice } from '../../src/tools/profiles/server-choice.ts';
import { openLab } from '../support/lab.ts';
import { play } from '../support/stage.ts';
import { testServer } from './support/test-server.ts';

const choice: ServerChoice = {
  server: 'openchrome',
  command: [process.execPath, path.join(import.meta.dirname, 'support/openchrome-stand-in.ts')],
};

testServer('openchrome', { missing: 'element_not_found', deadHost: 'navigation_failed' }, () => choice);

test('what it says of progress beside its results is recorded, without asking it', async () => {
  await using lab = await openLab({ slots: 1 });
  const task = {
    id: 'only-reads',
    title: 'Read a page again and again',
    startUrl: `${lab.server.origin}/small`,
    goal: 'Read it.',
    success: { kind: 'dom_text' as const, selector: 'h1', contains: 'Never there' },
  };
  const moves = Array.from({ length: 5 }, () => ({ action: { action: 'read' as const } }));
  const agent = scripted({
    transcript: { format: TRANSCRIPT_FORMAT, task: task.id, moves },
    profile: profileOf(choice),
  });
  const { of } = await play(lab, task, agent, { server: choice });
  // The look for its tab comes before the first of the five.
  expect(of('progress').map(({ status }) => status)).toEqual(['progressing', 'stalling', 'stalling', 'stuck', 'stuck']);
  expect(new Set(of('tool_call').map(({ tool }) => tool))).toEqual(new Set(['tabs_context', 'navigate', 'read_page']));
});
