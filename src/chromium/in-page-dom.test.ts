import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const folder = (relative: string): string[] => {
  const at = path.join(import.meta.dirname, relative);
  return readdirSync(at).flatMap((name) => (name.endsWith('.ts') ? [path.join(at, name)] : []));
};
const files = [
  ...folder('witness').filter((file) => path.basename(file).startsWith('in-page')),
  ...folder('../tools/embedded/in-page'),
];
/** The names that in-page code gives to elements of which it knows nothing. */
const UNKNOWN = 'element|node|at|child|found|start|box|frame|target|hit|host|owner|guarded|watched|given|parent';

test('in-page code reads elements that may be forms through their prototypes', () => {
  const source = readFileSync(path.join(import.meta.dirname, 'in-page-dom.ts'), 'utf8');
  const members = [...source.matchAll(/^ {4}(\w+)(?:,$|: (?:getter|\())/gm)].map(([, name]) => name);
  expect(members).toContain('children');
  expect(members.length).toBeGreaterThan(40);
  const direct = new RegExp(`(?<![\\w.])(?:${UNKNOWN})(?: as \\w+\\))?\\??\\.(?:${members.join('|')})\\b`, 'g');
  const found = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(direct)].map(([text]) => `${path.basename(file)}: ${text}`),
  );
  expect(found).toEqual([]);
});
