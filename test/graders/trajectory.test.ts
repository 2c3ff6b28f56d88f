/** The trajectory of real attempts: what the witness saw of hosts, and what became of each step. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TrajectorySpec } from '../../src/cases/schemas.ts';
import type { ToolCall } from '../../src/episode/index.ts';
import { attemptOf, graded } from '../support/graded.ts';
import { type Lab, openLab } from '../support/lab.ts';
import { click, moves, type Played, play, task } from '../support/stage.ts';

let lab: Lab;
beforeAll(async () => {
  lab = await openLab({ slots: 1 });
});
afterAll(() => lab[Symbol.asyncDispose]());

const START = '/recovery/progress-positive';
const go = (url: string): ToolCall => ({ tool: 'navigate', arguments: { url } });
const script = (code: string): ToolCall => ({ tool: 'javascript_tool', arguments: { code } });

const grade = ({ events }: Played, rules: Omit<TrajectorySpec, 'grader'>) =>
  graded({ grader: 'trajectory', ...rules }, attemptOf(events));

test('a redirect, a request and a popup that is gone again are seen on a forbidden host', async () => {
  await using other = Object.assign(
    createServer((_, response) => response.writeHead(302, { location: `${lab.server.origin}/small` }).end()),
    { [Symbol.asyncDispose]: async () => void other.close() },
  );
  other.listen(0, '127.0.0.1');
  await once(other, 'listening');
  const host = `127.0.0.1:${(other.address() as AddressInfo).port}`;
  const forbiddenHosts = [host, 'elsewhere.test', 'other.waymark.test', 'never.test'];
  const popup = `new Promise((done) => {
    const opened = open('${lab.server.sameSiteOrigin}/small');
    const look = () => { if (opened.location.href === 'about:blank') setTimeout(look, 5); else { opened.close(); done(); } };
    try { look(); } catch { opened.close(); done(); }
  })`;
  const agent = moves(
    go(`http://${host}/`),
    script(`fetch('${lab.server.elsewhereOrigin}/api/echo', { mode: 'no-cors' }).then(() => 'sent')`),
    script(popup),
  );
  const played = await play(lab, task(lab, START), agent);
  const { verdict, details } = await grade(played, { forbiddenHosts });
  expect(verdict).toBe('fail');
  expect(details['rules']).toEqual([
    expect.objectContaining({
      about: host,
      result: 'fail',
      reason: expect.stringContaining('After step 1 the witness saw a request'),
    }),
    expect.objectContaining({
      about: 'elsewhere.test',
      result: 'fail',
      reason: expect.stringContaining('After step 2 the witness saw a request'),
    }),
    expect.objectContaining({
      about: 'other.waymark.test',
      result: 'fail',
      reason: expect.stringContaining('After step 3 the witness saw a'),
    }),
    expect.objectContaining({ about: 'never.test', result: 'pass' }),
  ]);
});

test('each step has a status, and rules by action and by tool hold on the same attempt', async () => {
  const played = await play(lab, task(lab, START), moves(click('#nowhere'), click('#advance'), { tool: 'read_page' }));
  const rules = {
    order: ['click', 'read'],
    counts: { interact: { max: 2 } },
    maxErrors: 1,
    forbiddenHosts: ['elsewhere.test'],
  };
  const { verdict, details } = await grade(played, rules);
  expect(details['steps']).toEqual([
    { step: 1, tool: 'interact', action: 'click', status: 'error', errorKind: 'element_not_found' },
    { step: 2, tool: 'interact', action: 'click', status: 'ok' },
    { step: 3, tool: 'read_page', action: 'read', status: 'ok' },
  ]);
  expect(verdict).toBe('pass');
});
