/** Pages that a test types: their files, commands and what those say, in the order of the page. And their links. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

export type Part =
  | { do: 'write'; file: string; text: string }
  | { do: 'type'; line: string }
  | { do: 'expect'; lines: string[] };

/** Files (their name in the line above), commands (`sh`) and what they say (`text`), in the order of the page. */
export function partsOf(text: string): Part[] {
  return [...text.matchAll(/(?:^`([^`\n]+)`:\n\n)?^```(\w+)\n(.*?)^```$/gms)].map(([, file, language, body = '']) => {
    if (file !== undefined) return { do: 'write', file, text: body };
    if (language === 'sh') return { do: 'type', line: body };
    if (language === 'text') return { do: 'expect', lines: body.trimEnd().split('\n') };
    throw new Error(`a block that is neither file, command nor output: ${body}`);
  });
}

/** `…` stands for anything: on a line of its own for any lines, inside one for a part of it. */
export function matcher(lines: readonly string[]): RegExp {
  const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('…', '.*');
  const pattern = lines.map((line) => (line === '…' ? '(?:.*\\n)*?' : `${literal(line)}\\n`)).join('');
  return new RegExp(`^${pattern}$`);
}

/** Links of a page to files or headings that are not there. */
export function brokenLinks(file: string): string[] {
  const links = [...readFileSync(file, 'utf8').matchAll(/\]\(([^)]+)\)/g)].map(([, link]) => String(link));
  return links.filter((link) => {
    const [name = '', heading] = link.split('#');
    const target = name === '' ? file : path.resolve(path.dirname(file), name);
    if (!existsSync(target)) return true;
    return heading !== undefined && !anchorsOf(readFileSync(target, 'utf8')).includes(heading);
  });
}

/** As GitHub makes them. */
function anchorsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}
