/**
 * Bundles what runs in chat pages. Each artefact is one expression, a function of its data; `embed.ts` makes scripts of it.
 * `node page/build.ts` prints the sizes, and fails when one is over budget or holds something that it must not.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { bookmarkletLoader, MAX_BOOKMARKLET } from '../src/capture/formats.ts';
import { unsafeSinks } from './unsafe-sinks.ts';

/** In bytes; for the bookmarklet in characters. The rest up to 60,000 is available for prompts. */
export const BUDGET = { raw: 28_000, gzip: 11_000, bookmarklet: 32_000 };

export interface Sizes {
  readonly raw: number;
  readonly gzip: number;
  /** Of the bookmarklet without a pack. */
  readonly bookmarklet: number;
}

/** The runtime as text. */
export function buildRuntime(): Promise<string> {
  return bundle('main.ts', '__WAYMARK_PACK__');
}

/** The script that only tries selectors, as text. */
export function buildSelectorTest(): Promise<string> {
  return bundle('test-selectors.ts', '__WAYMARK_TEST__');
}

/** For the published package: the text, ready to be read without a bundler. */
export async function buildPage(into: string): Promise<void> {
  mkdirSync(into, { recursive: true });
  const runtime = await buildRuntime();
  const faults = faultsOf(runtime);
  if (faults.length > 0) throw new Error(faults.join('\n'));
  writeFileSync(path.join(into, 'runtime.js'), runtime);
}

async function bundle(name: string, argument: string): Promise<string> {
  const entry = path.join(import.meta.dirname, 'runtime', name);
  const result = await build({
    configFile: false,
    logLevel: 'warn',
    build: { write: false, target: 'es2022', minify: true, lib: { entry, formats: ['iife'], name: 'unused' } },
  });
  const outputs = Array.isArray(result) ? result : [result];
  const chunk = outputs.flatMap((one) => ('output' in one ? one.output : [])).find((one) => one.type === 'chunk');
  if (chunk?.type !== 'chunk') throw new Error('The bundler made no script.');
  return `${argument}=>{${ascii(chunk.code.trim())}}`;
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

/** The problems of a bundle, as sentences. */
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
    `bookmarklet  ${bookmarklet} characters (budget ${BUDGET.bookmarklet}), left for a pack: ${MAX_BOOKMARKLET - bookmarklet}`,
  );
  const faults = faultsOf(runtime);
  for (const fault of faults) console.error(fault);
  process.exitCode = faults.length > 0 ? 1 : 0;
}
