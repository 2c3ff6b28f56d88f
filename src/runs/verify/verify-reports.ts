/** Whether the files that are made from the journals are what the journals give. They are made once more, elsewhere, and compared. */
import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';
import path from 'node:path';
import type { RunReport } from '../report.ts';
import type { Discrepancy } from './discrepancy.ts';

const BLOCK = 256 * 1024;
const NEWLINE = 0x0a;

/** `made`: the folder with the files made again. */
export function madeDifferences(root: string, made: string): Discrepancy[] {
  const files = readdirSync(made, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(made, path.join(entry.parentPath, entry.name)))
    .sort();
  return files.flatMap((file) => {
    if (!existsSync(path.join(root, file))) return [difference(file, 'not there', 'waymark report makes it')];
    if (file === 'report.json') return reportDifference(root, made);
    return textDifference(file, path.join(root, file), path.join(made, file));
  });
}

function reportDifference(root: string, made: string): Discrepancy[] {
  const [recorded, again] = [path.join(root, 'report.json'), path.join(made, 'report.json')];
  const earlier = reportIn(recorded);
  const today = reportIn(again);
  // The summary of today names what was planned.
  if (!earlier || !today || earlier.summary?.planned !== undefined)
    return textDifference('report.json', recorded, again);
  const isWhole = today.summary.unfinished === undefined;
  return JSON.stringify(asBefore(earlier, isWhole)) === JSON.stringify(asBefore(today, isWhole))
    ? []
    : [difference('report.json', 'as an earlier version made it', 'the journals give another one')];
}

/** Undefined where it is no JSON. */
function reportIn(file: string): RunReport | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * What the reports of earlier versions have in common with today's: they counted only what had been begun, which differs where something has
 * not finished, and those of version 0.1.0 had the warnings of each episode.
 */
function asBefore({ summary, episodes, ...head }: RunReport, isWhole: boolean): unknown {
  const { planned, finished, interrupted, notBegun, pending, unfinished, ...rest } = summary;
  const { episodes: count, strict, outcomes, ...common } = { ...rest, statistics: undefined };
  const kept = episodes.map((episode) => ({ ...episode, warnings: undefined, interrupted: undefined }));
  return { ...head, summary: isWhole ? { ...rest, statistics: undefined } : common, episodes: kept };
}

/** The first line that differs. Files are read block by block: they may be long. */
function textDifference(file: string, recorded: string, again: string): Discrepancy[] {
  const [before, now] = [openSync(recorded, 'r'), openSync(again, 'r')];
  try {
    const [was, is] = [Buffer.alloc(BLOCK), Buffer.alloc(BLOCK)];
    let line = 1;
    for (let at = 0; ; ) {
      const lengths = [readSync(before, was, 0, BLOCK, at), readSync(now, is, 0, BLOCK, at)] as const;
      const [ofWas, ofIs] = [was.subarray(0, lengths[0]), is.subarray(0, lengths[1])];
      if (!ofWas.equals(ofIs)) {
        const same = firstDifference(ofWas, ofIs);
        const number = line + linesIn(ofWas.subarray(0, same));
        return [difference(file, `line ${number}: ${lineAround(ofWas, same)}`, lineAround(ofIs, same))];
      }
      if (lengths[0] === 0) return [];
      at += lengths[0];
      line += linesIn(ofWas);
    }
  } finally {
    closeSync(before);
    closeSync(now);
  }
}

function firstDifference(a: Buffer, b: Buffer): number {
  const shorter = Math.min(a.length, b.length);
  const at = a.subarray(0, shorter).findIndex((byte, index) => byte !== b[index]);
  return at < 0 ? shorter : at;
}

function linesIn(bytes: Buffer): number {
  let lines = 0;
  for (const byte of bytes) if (byte === NEWLINE) lines++;
  return lines;
}

function lineAround(bytes: Buffer, at: number): string {
  const from = at === 0 ? 0 : bytes.lastIndexOf(NEWLINE, at - 1) + 1;
  const to = bytes.indexOf(NEWLINE, at);
  return bytes.toString('utf8', from, to < 0 ? bytes.length : to).trim() || 'none';
}

function difference(file: string, recorded: string, again: string): Discrepancy {
  return { what: 'report', file, recorded, again };
}
