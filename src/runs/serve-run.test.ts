import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { expect, test } from 'vitest';
import { testFolder } from '../../test/journal/documented-events.ts';
import { serveRun } from './serve-run.ts';

/** The path as it is given: fetch would resolve its dots. */
function get(url: string, path: string, options: { host?: string; method?: string } = {}) {
  const { port } = new URL(url);
  const { promise, resolve, reject } = Promise.withResolvers<{
    status: number | undefined;
    text: string;
    headers: Record<string, unknown>;
  }>();
  const { method = 'GET', host } = options;
  const asked = request({ host: '127.0.0.1', port, path, method, headers: host ? { host } : {} }, (response) => {
    let text = '';
    response.setEncoding('utf8').on('data', (piece) => {
      text += piece;
    });
    response.on('end', () => resolve({ status: response.statusCode, text, headers: response.headers }));
  });
  asked.on('error', reject).end();
  return promise;
}

test('serves the report and the files of the run, and nothing else', async () => {
  using folder = testFolder();
  mkdirSync(folder('run/episodes/a b'), { recursive: true });
  mkdirSync(folder('run-2'));
  writeFileSync(folder('secret.txt'), 'secret');
  writeFileSync(folder('run-2/secret.txt'), 'secret');
  writeFileSync(folder('run/report.html'), '<p>report</p>');
  writeFileSync(folder('run/report.json'), '{}');
  writeFileSync(folder('run/episodes/a b/page.html'), '<script>1</script>');
  symlinkSync(folder('secret.txt'), folder('run/link.txt'));
  symlinkSync(folder('run-2'), folder('run/linked'));
  await using served = await serveRun(folder('run'), { port: 0 });
  const at = (path: string, options = {}) => get(served.url, path, options);

  expect(await at('/')).toMatchObject({
    status: 200,
    text: '<p>report</p>',
    headers: { 'content-type': 'text/html; charset=utf-8' },
  });
  expect(await at('/report.json?x#y')).toMatchObject({ status: 200, text: '{}' });
  // What a page has left in a run is shown as text.
  expect(await at('/episodes/a%20b/page.html')).toMatchObject({
    status: 200,
    text: '<script>1</script>',
    headers: { 'content-type': 'text/plain; charset=utf-8', 'content-security-policy': "default-src 'none'; sandbox" },
  });
  for (const path of [
    '/../secret.txt',
    '/episodes/../../secret.txt',
    '/%2e%2e/secret.txt',
    '/..%2fsecret.txt',
    '/..%5csecret.txt',
    '/%2e%2e%2frun-2%2fsecret.txt',
    '//etc/passwd',
    '/%2fetc%2fpasswd',
    '/link.txt',
    '/linked/secret.txt',
    '/report.html%00.json',
    '/%',
    '/episodes',
    '/none.txt',
  ])
    expect(await at(path), path).toMatchObject({ status: 404, text: 'The run has no such file.\n' });
  expect(await at('/', { method: 'POST' })).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } });
  expect(await at('/', { host: 'attacker.example' })).toMatchObject({ status: 403 });
  expect(await at('/', { method: 'HEAD' })).toMatchObject({
    status: 200,
    text: '',
    headers: { 'content-length': '13' },
  });
});

test('says when its port is in use', async () => {
  using folder = testFolder();
  await using first = await serveRun(folder('.'), { port: 0 });
  const port = Number(new URL(first.url).port);
  await expect(serveRun(folder('.'), { port })).rejects.toMatchObject({
    code: 'view_port',
    message: `Port ${port} of 127.0.0.1 can't be listened on: it is in use.`,
  });
});
