import { expect, test } from 'vitest';
import type { EvidenceBody } from '../events/index.ts';
import { siteWall } from './site-wall.ts';

const TASK = { startUrl: 'https://www.shop.com/', goal: 'Find a lamp.' };
const wall = (seen: Partial<EvidenceBody>, task: Partial<Parameters<typeof siteWall>[1]> = {}) =>
  siteWall(
    {
      ...{ type: 'evidence', url: 'https://www.shop.com/', title: 'Shop', page: 'ok', tabs: [] },
      counters: { network: 1, console: 0, dialogs: 0, downloads: 0, popups: 0 },
      ...seen,
    },
    { ...TASK, ...task },
  );
const frame = { features: { challengeFrame: true } };
const login = { features: { passwordForm: true }, redirected: true, url: 'https://www.shop.com/login' };

test.each<[string, Partial<EvidenceBody>, string]>([
  [
    'a challenge',
    { status: 403, title: 'Just a moment...' },
    'The site shows a challenge (“Just a moment...”), with HTTP status 403.',
  ],
  ['a challenge in a frame', { status: 403, ...frame }, 'The site shows a challenge, with HTTP status 403.'],
  ['a challenge with status 200', { status: 200, title: 'Robot Check', ...frame }, 'The site shows a challenge.'],
  [
    'a challenge with status 503',
    { status: 503, title: 'DDoS-Guard' },
    'The site shows a challenge (“DDoS-Guard”), with HTTP status 503.',
  ],
  ['a rate limit', { status: 429 }, 'The site refuses further requests for now, with HTTP status 429.'],
  ['a legal reason', { status: 451 }, 'The site is not available here, with HTTP status 451.'],
  ['a login', { status: 401 }, 'The site asks for a login, with HTTP status 401.'],
  [
    'a redirect to a login',
    { status: 200, ...login },
    'The site has redirected to a login, which the task does not expect.',
  ],
])('%s is a wall', (_name, seen, sentence) => {
  expect(wall(seen)).toBe(sentence);
});

test.each<[string, Partial<EvidenceBody>, Partial<typeof TASK> & { secrets?: string[] }]>([
  ['any other page', { status: 200 }, {}],
  ['a page that is forbidden', { status: 403, title: 'Forbidden' }, {}],
  ['a page that is down', { status: 503, title: 'Maintenance' }, {}],
  ['an article about captchas', { status: 200, title: 'Human verification' }, {}],
  ['a title that has more words', { status: 403, title: 'Just a moment... of calm' }, {}],
  ['a form with a captcha', { status: 200, ...frame }, {}],
  ['a page with a password field', { status: 200, features: { passwordForm: true } }, {}],
  ['a login that the goal names', { status: 200, ...login }, { goal: 'Log in and find a lamp.' }],
  ['a login of a task with secrets', { status: 401 }, { secrets: ['SHOP_PASSWORD'] }],
  ['a login that the task begins with', { status: 200, ...login }, { startUrl: 'https://www.shop.com/sign-in' }],
  ['another site', { status: 429, url: 'https://search.org/' }, {}],
  ['a page without an address', { status: 429, url: '' }, {}],
])('%s is none', (_name, seen, task) => {
  expect(wall(seen, task)).toBeUndefined();
});

test('hosts of one site are one site', () => {
  expect(wall({ status: 429, url: 'https://accounts.shop.com/' })).toBeDefined();
  expect(wall({ status: 429, url: 'http://127.0.0.1:1/' }, { startUrl: 'http://127.0.0.1:2/' })).toBeDefined();
  expect(wall({ status: 429, url: 'http://127.0.0.2/' }, { startUrl: 'http://127.0.0.1/' })).toBeUndefined();
  expect(siteWall(undefined, TASK)).toBeUndefined();
});
