/** Files of `waymark pack` that a person takes to the chat page: a script, a bookmarklet, or a bookmarklet that asks for the pack's file. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  bookmarklet,
  bookmarkletLength,
  bookmarkletLoader,
  MAX_BOOKMARKLET,
  type PresetName,
  packFile,
  type RuntimePack,
  rawScript,
  type Selectors,
  validateSelectors,
} from '../capture/formats.ts';
import { WaymarkError } from '../errors/index.ts';
import { pageRuntime } from './page-runtime.ts';
import type { Terminal } from './terminal.ts';

export interface ScriptFlags {
  script?: string;
  bookmarklet?: string;
  selectors?: string;
  'quiet-ms'?: string;
}

export interface ScriptChoice {
  readonly selectors?: Partial<Selectors> | undefined;
  readonly settings: { quiet_ms?: number };
}

/** What was chosen, checked before anything is asked of the server. */
export function scriptChoice(flags: ScriptFlags, preset: PresetName, terminal: Terminal): ScriptChoice {
  const quiet = flags['quiet-ms'];
  if (quiet !== undefined && !/^[1-9]\d{0,5}$/.test(quiet)) {
    throw new WaymarkError({ code: 'usage_quiet', message: `"${quiet}" is no number of milliseconds for --quiet-ms.` });
  }
  const settings = quiet === undefined ? {} : { quiet_ms: Number(quiet) };
  const selectors = flags.selectors === undefined ? undefined : readSelectors(flags.selectors, terminal);
  if (selectors !== undefined || (preset === 'custom' && (flags.script ?? flags.bookmarklet) !== undefined)) {
    const issues = validateSelectors(selectors ?? {}, settings);
    if (issues.length > 0) {
      throw new WaymarkError({
        code: 'usage_selectors',
        message: `The selectors can't be used:${issues.map(({ path: at, message }) => `\n  ${at}: ${message}`).join('')}`,
        hint: 'Give them with --selectors <file>: a JSON object with a list of CSS selectors for each role.',
      });
    }
  }
  // Whatever has no issues has the shape.
  return { selectors: selectors as Partial<Selectors> | undefined, settings };
}

function readSelectors(name: string, terminal: Terminal): object {
  let text: string;
  try {
    text = readFileSync(path.resolve(terminal.cwd, name), 'utf8');
  } catch (cause) {
    throw new WaymarkError({ code: 'usage_no_such_file', message: `${name} can't be read.`, cause });
  }
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // Said below.
  }
  throw new WaymarkError({ code: 'usage_selectors', message: `${name} holds no JSON object.` });
}

export interface ScriptFiles {
  script?: string;
  bookmarklet?: string;
  /** Only beside a bookmarklet that asks for it. */
  pack_file?: string;
}

/** Writes what was asked for, and tells about it. */
export async function writeScripts(
  flags: ScriptFlags,
  pack: RuntimePack,
  terminal: Terminal,
): Promise<{ files: ScriptFiles; lines: string[] }> {
  const files: ScriptFiles = {};
  const lines: string[] = [];
  if (flags.script === undefined && flags.bookmarklet === undefined) return { files, lines };
  const runtime = await pageRuntime();
  if (flags.script !== undefined) {
    files.script = path.resolve(terminal.cwd, flags.script);
    writeFileSync(files.script, rawScript(pack, runtime));
    lines.push(`script written to ${files.script}: paste it into the console of the chat page`);
  }
  if (flags.bookmarklet !== undefined) {
    files.bookmarklet = path.resolve(terminal.cwd, flags.bookmarklet);
    const address = bookmarklet(pack, runtime);
    writeFileSync(files.bookmarklet, `${address ?? bookmarkletLoader(runtime)}\n`);
    if (address !== undefined) {
      const room = `${inGroups(address.length)} of ${inGroups(MAX_BOOKMARKLET)} characters`;
      lines.push(`bookmarklet written to ${files.bookmarklet} (${room}): make it the address of a bookmark`);
    } else {
      files.pack_file = besideOf(files.bookmarklet);
      writeFileSync(files.pack_file, packFile(pack));
      lines.push(
        `the pack is too large for a bookmarklet: ${inGroups(bookmarkletLength(pack, runtime))} characters, and browsers take ${inGroups(MAX_BOOKMARKLET)}`,
        `bookmarklet without the pack written to ${files.bookmarklet}: on the chat page it asks for a file`,
        `that file is ${files.pack_file}`,
      );
    }
  }
  return { files, lines };
}

function besideOf(file: string): string {
  const { dir, name } = path.parse(file);
  return path.join(dir, `${name}.pack.json`);
}

function inGroups(number: number): string {
  return number.toLocaleString('en-US');
}
