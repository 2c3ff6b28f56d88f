/** Gives the web app what runs in chat pages as texts: `import { runtime, selectorTest } from 'virtual:waymark-page'`. */
import type { Plugin } from 'vite';
import { buildRuntime, buildSelectorTest } from './build.ts';

const NAME = 'virtual:waymark-page';
const RESOLVED = `\0${NAME}`;

export function pageTexts(): Plugin {
  return {
    name: 'waymark-page',
    resolveId: (id) => (id === NAME ? RESOLVED : undefined),
    async load(id) {
      if (id !== RESOLVED) return undefined;
      const [runtime, selectorTest] = await Promise.all([buildRuntime(), buildSelectorTest()]);
      // Parsed, not written as they are: a minifier copies a constant text to each place where it is used.
      const texts = JSON.stringify(JSON.stringify({ runtime, selectorTest }));
      return `export const { runtime, selectorTest } = JSON.parse(${texts});\n`;
    },
  };
}
