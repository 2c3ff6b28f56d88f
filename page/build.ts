/**
 * `node page/build.ts`: bundles the runtime into `page/dist/runtime.js`, prints its sizes, and fails when it is over budget or holds
 * something that it must not. The artefact is one expression, a function of the pack; `embed.ts` makes scripts of it.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { bookmarkletLoader, MAX_BOOKMARKLET } from './embed.ts';
import { unsafeSinks } from './unsafe-sinks.ts';

/** Bytes, and for the bookmarklet characters: what is left to 60,000 is room for prompts. */
export const BUDGET = { raw: 28_000, gzip: 11_000, bookmarklet: 32_000 };
export const RUNTIME_FILE = path.join(import.meta.dirname, 'dist', 'runtime.js');

export interface Sizes {
  readonly raw: number;
  readonly gzip: number;
  /** Of the bookmarklet without a pack. */
  readonly bookmarklet: number;
}

/** The bundle as text. */
export async function buildRuntime(): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'warn',
    build: {
      write: false,
      target: 'es2022',
      minify: true,
      lib: { entry: path.join(import.meta.dirname, 'runtime', 'main.ts'), formats: ['iife'], name: 'unused' },
    },
  });
  const outputs = Array.isArray(result) ? result : [result];
  const chunk = outputs.flatMap((one) => ('output' in one ? one.output : [])).find((one) => one.type === 'chunk');
  if (chunk?.type !== 'chunk') throw new Error('The bundler made no script.');
  return `__WAYMARK_PACK__=>{${ascii(chunk.code.trim())}}`;
}

/** Dashes and quotation marks stand in texts only, where an escape means the same; as they are, an address would triple them. */
function ascii(code: string): string {
  return code.replace(/[^\n -~]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

export function sizesOf(runtime: string): Sizes {
  return {
    raw: Buffer.byteLength(runtime),
    gzip: gzipSync(runtime).length,
    bookmarklet: bookmarkletLoader(runtime).length,
  };
}

/** What is wrong with a bundle, in sentences. */
export function faultsOf(runtime: string): string[] {
  const sizes = sizesOf(runtime);
  const over = (Object.keys(BUDGET) as (keyof Sizes)[])
    .filter((name) => sizes[name] > BUDGET[name])
    .map((name) => `The runtime is over budget: ${name} ${sizes[name]} > ${BUDGET[name]}.`);
  return [...over, ...unsafeSinks(runtime).map((name) => `The runtime uses ${name}, which it must not.`)];
}

if (import.meta.main) {
  const runtime = await buildRuntime();
  const { raw, gzip, bookmarklet } = sizesOf(runtime);
  console.log(`runtime      ${raw} bytes (budget ${BUDGET.raw}), gzip ${gzip} (budget ${BUDGET.gzip})`);
  console.log(
    `bookmarklet  ${bookmarklet} characters (budget ${BUDGET.bookmarklet}), room for a pack: ${MAX_BOOKMARKLET - bookmarklet}`,
  );
  const faults = faultsOf(runtime);
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exit(1);
  mkdirSync(path.dirname(RUNTIME_FILE), { recursive: true });
  writeFileSync(RUNTIME_FILE, runtime);
}
