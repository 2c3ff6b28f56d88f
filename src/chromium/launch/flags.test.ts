import { expect, test } from 'vitest';
import { browserFlags } from './flags.ts';

const flags = (kind: 'shell' | 'chrome', headed?: boolean): string[] =>
  browserFlags({ kind, profile: '/p', isRoot: false, headed });

test('only a full Chrome is told to be headless, and not where people are to see it', () => {
  expect(flags('chrome')).toContain('--headless=new');
  expect(flags('chrome', true)).not.toContain('--headless=new');
  expect(flags('shell')).not.toContain('--headless=new');
  expect(flags('chrome', true)).toContain('--disable-extensions');
});
