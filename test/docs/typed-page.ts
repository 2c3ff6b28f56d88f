/** Parses a documentation page that a test runs: its files, commands and expected output, and its links. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

export type Part =
  | { do: 'write'; file: string; text: string }
  | { do: 'type'; line: string }
  | { do: 'expect'; lines: string[] };

/** Files (their name is in the line above), commands (`sh`) and expected output (`text`), in page order. */
export function partsOf(text: string): Part[] {
  return [...text.matchAll(/(?:^`([^`\n]+)`:\n\n)?^```(\w+)\n(.*?)^```$/gms)].map(([, file, language, body = '']) => {
    if (file !== undefined) return { do: 'write', file, text: body };
    if (language === 'sh') return { do: 'type', line: body };
    if (language === 'text') return { do: 'expect', lines: body.trimEnd().split('\n') };
    throw new Error(`a block that is neither file, command nor output: ${body}`);
  });
}

/** `…` matches anything: any lines if it is a whole line, otherwise a part of its line. */
export function matcher(lines: readonly string[]): RegExp {
  const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('…', '.*');
  const pattern = lines.map((line) => (line === '…' ? '(?:.*\\n)*?' : `${literal(line)}\\n`)).join('');
  return new RegExp(`^${pattern}$`);
}

/** Links of a page to files or headings that do not exist. */
export function brokenLinks(file: string): string[] {
  const links = [...readFileSync(file, 'utf8').matchAll(/\]\(([^)]+)\)/g)].map(([, link]) => String(link));
  return links.filter((link) => {
    const [name = '', heading] = link.split('#');
    const target = name === '' ? file : path.resolve(path.dirname(file), name);
    if (!existsSync(target)) return true;
    return heading !== undefined && !anchorsOf(readFileSync(target, 'utf8')).includes(heading);
  });
}

/** Heading anchors, as GitHub generates them. */
function anchorsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}
