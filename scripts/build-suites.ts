/**
 * Puts the suites into dist/: tasks and oracles as they are, and the sites of each as one script, because Node does not run TypeScript that is
 * installed in node_modules.
 */
import { cpSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { build } from 'vite';

const suites = path.resolve(import.meta.dirname, '../suites');

export async function buildSuites(dist: string): Promise<void> {
  const from = path.join(suites, 'web-ten');
  const into = path.join(dist, 'suites', 'web-ten');
  mkdirSync(into, { recursive: true });
  const isWanted = (file: string): boolean =>
    !/\.ts$/.test(file) && !/^(site|near-misses)/.test(path.relative(from, file));
  cpSync(from, into, { recursive: true, filter: isWanted });
  // Read beside the script.
  cpSync(path.join(from, 'site', 'style.css'), path.join(into, 'style.css'));
  await build({
    configFile: false,
    logLevel: 'warn',
    build: {
      ssr: path.join(from, 'fixture.ts'),
      outDir: into,
      emptyOutDir: false,
      target: 'node24',
      minify: false,
      rolldownOptions: { output: { entryFileNames: 'fixture.mjs' } },
    },
  });
}
