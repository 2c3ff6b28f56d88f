import { expect, test } from 'vitest';
import { BrowserOsTabs } from './browseros-tabs.ts';

const page = (targetId: string) => ({ targetId, type: 'page', url: `http://${targetId}.test/`, title: targetId });

test('commands of BrowserOS become commands of the Target domain; all others stay as they are', () => {
  const tabs = new BrowserOsTabs();
  expect(tabs.translate('Browser.getTabs', { includeHidden: true })).toEqual({
    method: 'Target.getTargets',
    params: { filter: [{ type: 'page' }] },
  });
  expect(tabs.translate('Browser.createTab', { url: 'http://a.test/', hidden: true, background: true })).toEqual({
    method: 'Target.createTarget',
    params: { url: 'http://a.test/', background: true },
  });
  const other = { method: 'Browser.getVersion', params: {} };
  expect(tabs.translate(other.method, other.params)).toEqual(other);
  expect(tabs.answer('Browser.getVersion', {}, { product: 'x' })).toEqual({ product: 'x' });
});

test('a tab keeps its number, and is found by it', () => {
  const tabs = new BrowserOsTabs();
  const listed = tabs.answer(
    'Browser.getTabs',
    {},
    { targetInfos: [page('a'), { ...page('b'), type: 'worker' }, page('c')] },
  );
  expect(listed).toMatchObject({
    tabs: [
      { tabId: 1, targetId: 'a' },
      { tabId: 2, targetId: 'c', title: 'c' },
    ],
  });
  expect(tabs.translate('Browser.closeTab', { tabId: 2 })).toEqual({
    method: 'Target.closeTarget',
    params: { targetId: 'c' },
  });
  expect(tabs.answer('Browser.getTabs', {}, { targetInfos: [page('c')] })).toMatchObject({ tabs: [{ tabId: 2 }] });
  // The gate has no target without a name, and says so.
  expect(tabs.translate('Browser.getTabInfo', { tabId: 99 }).params).toEqual({ targetId: '' });
});

test('the active tab is the one that was shown or opened last, or else the first', () => {
  const tabs = new BrowserOsTabs();
  const targets = { targetInfos: [page('a'), page('b')] };
  expect(tabs.answer('Browser.getActiveTab', {}, targets)).toMatchObject({ tab: { targetId: 'a', isActive: true } });
  expect(tabs.answer('Browser.createTab', { url: 'http://b.test/' }, { targetId: 'b' })).toMatchObject({
    tab: { targetId: 'b', url: 'http://b.test/', isActive: true },
  });
  expect(tabs.answer('Browser.getActiveTab', {}, targets)).toMatchObject({ tab: { targetId: 'b' } });
  expect(tabs.answer('Browser.showTab', { targetId: 'a' }, {})).toMatchObject({ tab: { title: 'a', isActive: true } });
  expect(tabs.answer('Browser.getActiveTab', {}, { targetInfos: [] })).toEqual({});
});
