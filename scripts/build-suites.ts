/**
 * Puts the suites into dist/: tasks and oracles as they are, and the sites of each and its templates as scripts, because Node does not run
 * TypeScript that is installed in node_modules.
 */
import { cpSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { build } from 'vite';

const suites = path.resolve(import.meta.dirname, '../suites');

/** The style sheet is read beside the script. */
const SUITES = [
  { name: 'web-ten', style: 'site/style.css', scripts: ['fixture'] },
  { name: 'waymark-web', style: 'frame/style.css', scripts: ['fixture', 'templates'] },
];

export async function buildSuites(dist: string): Promise<void> {
  for (const { name, style, scripts } of SUITES) {
    const from = path.join(suites, name);
    const into = path.join(dist, 'suites', name);
    mkdirSync(into, { recursive: true });
    const isWanted = (file: string): boolean =>
      !/\.ts$/.test(file) && !/^(site|frame|near-misses)/.test(path.relative(from, file));
    cpSync(from, into, { recursive: true, filter: isWanted });
    cpSync(path.join(from, style), path.join(into, 'style.css'));
    for (const script of scripts) await buildScript(path.join(from, `${script}.ts`), into, `${script}.mjs`);
  }
}

async function buildScript(file: string, into: string, name: string): Promise<void> {
  await build({
    configFile: false,
    logLevel: 'warn',
    build: {
      ssr: file,
      outDir: into,
      emptyOutDir: false,
      target: 'node24',
      minify: false,
      rolldownOptions: { output: { entryFileNames: name } },
    },
  });
}
