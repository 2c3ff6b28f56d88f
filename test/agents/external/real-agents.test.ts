/** Real foreign agents on the test model, where they are installed: WAYMARK_AGENTS names their folder (`npm run try:agents` installs them). */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { installedAgent, KNOWN_AGENTS } from '../../../bench/agents/installed-agents.ts';
import { externalAgent } from '../../../src/agents/index.ts';
import { executeRun, FolderRunStore, readEvents, resolveRun } from '../../../src/runs/index.ts';
import { startTestModel } from '../../../src/test-model/index.ts';
import { temporaryFolder } from '../../cli/command-line.ts';
import { filesWith } from './scan.ts';

const TASKS = path.resolve(import.meta.dirname, '../../../fixtures/tasks');
const WRAPPER = path.join(import.meta.dirname, 'child-scanning-agent.ts');
const ONLY = ['example-h1', 'local-recovery-stall', 'wizard-book-trip'];
const KEY = 'sk-test-0123456789-abcdef';

for (const known of KNOWN_AGENTS) {
  const file = installedAgent(known, process.env['WAYMARK_AGENTS']);
  const why = file === undefined ? ' (skipped: it is not installed in the folder that WAYMARK_AGENTS names)' : '';
  test.skipIf(file === undefined)(
    `${known.preset} does three tasks through the endpoint, has none of its own tools but those that are recorded, and keeps no key${why}`,
    { timeout: 300_000 },
    async () => {
      using folder = temporaryFolder();
      await using model = await startTestModel({ tasks: [TASKS], key: KEY });
      const env = { ...process.env, TEST_KEY: KEY };
      const found = path.join(folder.path, 'found.json');
      const { preset, kind } = known;
      const keyVariable = { openai: 'OPENAI_API_KEY', anthropic: 'ANTHROPIC_API_KEY', google: 'GEMINI_API_KEY' }[kind];
      const command = [process.execPath, WRAPPER, found, keyVariable, file ?? ''];
      const options = { preset, command, model: 'test', baseUrl: model.baseUrls[kind], keyEnv: 'TEST_KEY' };
      const agent = externalAgent(options, env);
      const run = await resolveRun({ tasks: [TASKS], only: ONLY, agent, untilDone: true, env, version: '0' });
      const root = path.join(folder.path, 'run');
      using store = new FolderRunStore(root);
      const ends: string[] = [];
      await executeRun(run, {
        store,
        env,
        onProgress: ({ attempt, status, reason }) => void ends.push(`${attempt.caseId}: ${status}: ${reason}`),
      });
      expect(ends).toEqual(ONLY.map((id) => `${id}: passed: The agent is done, and the contract passes.`));
      const tools = new Set(
        model.requests.flatMap(({ conversation }) => conversation?.tools.map(({ name }) => name) ?? []),
      );
      const left = [...tools].filter((name) => !name.includes('browser')).sort();
      const events = await readEvents(path.join(root, 'episodes/example-h1/trial-1/events.jsonl'));
      expect(events[0]).toMatchObject({ agent: { config: { ownTools: { left: expect.anything() } } } });
      const { config } = agent as { config: { ownTools?: { left: string[] } } };
      expect(left).toEqual([...(config.ownTools?.left ?? [])].sort());
      // Of the home folders, before they were deleted, and of the run.
      expect(existsSync(found) && JSON.parse(readFileSync(found, 'utf8'))).toEqual({ found: [] });
      expect(filesWith(root, [KEY])).toEqual([]);
    },
  );
}
