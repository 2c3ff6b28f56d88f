import { expect, test } from 'vitest';
import { OpenCalls, type SentCall } from './open-calls.ts';

const call = (changes: Partial<SentCall> = {}): SentCall => ({
  tool: 'click',
  isWait: false,
  ping: () => Promise.reject(new Error('not to be asked')),
  ...changes,
});

test('where nothing is under way, there is no fault', async () => {
  expect(await new OpenCalls().fault(60_000)).toBeUndefined();
});

test('a call that is answered in time is not waited for any longer', async () => {
  const calls = new OpenCalls();
  const answered = calls.add(call());
  const fault = calls.fault(60_000);
  answered();
  expect(await fault).toBeUndefined();
});

test('a call that is not answered is the fault of its server', async () => {
  const calls = new OpenCalls();
  calls.add(call({ tool: 'read_page' }))();
  calls.add(call());
  const fault = await calls.fault(5);
  expect(fault).toMatchObject({ code: 'tool_timeout', fault: 'server' });
  expect(fault?.message).toMatch(
    /^The time of the task was used up, and the tool click had not answered for \d+ ms\.$/,
  );
});

test('a call that waits is not, as long as its server answers a ping', async () => {
  const calls = new OpenCalls();
  calls.add(call({ isWait: true, ping: () => Promise.resolve(true) }));
  expect(await calls.fault(60_000)).toBeUndefined();
});

test('a frozen server is at fault, also while the agent waits', async () => {
  const calls = new OpenCalls();
  calls.add(call({ tool: 'wait_for', isWait: true, ping: () => Promise.resolve(false) }));
  expect(await calls.fault(60_000)).toMatchObject({ code: 'tool_timeout' });
});
