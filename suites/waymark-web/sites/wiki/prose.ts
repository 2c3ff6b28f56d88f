/** Long articles: a lead, then sections of several paragraphs. Headings are lines such as `== History ==`. */
import { type Random, seeded, seedOf } from '../../../shared/random.ts';
import { type ArticleKind, SENTENCES, WORDS } from './sentences.ts';

const SENTENCES_OF_A_PARAGRAPH = 4;

export interface Section {
  readonly heading: string;
  readonly paragraphs: readonly string[];
}

/**
 * The same for the same title and seed. `own` are sentences of this article alone, by heading; they stand anywhere in their section, in their order.
 *
 * @example
 * proseOf('lake', 'Lake Blue', 7, 'Lake Blue lies in the hills.'); // => 'Lake Blue lies in the hills.\n\n== Nature ==\n\nAnglers …'
 */
export function proseOf(
  kind: ArticleKind,
  title: string,
  seed: number,
  lead: string,
  own: Readonly<Record<string, readonly string[]>> = {},
): string {
  const random = seeded(seedOf(`prose ${title}`, seed));
  const sections = Object.entries(SENTENCES[kind]).map(([heading, all]) => {
    const some = random.some(all, all.length - 2).map((sentence) => filled(sentence, random));
    return [`== ${heading} ==`, ...paragraphsOf(mixed(random.shuffle(some), own[heading] ?? [], random))].join('\n\n');
  });
  return [lead, ...sections].join('\n\n');
}

/** The second list is put into the first one at any places, in its own order. */
function mixed(sentences: readonly string[], own: readonly string[], random: Random): string[] {
  const places = random.some(
    Array.from({ length: sentences.length + own.length }, (_, index) => index),
    own.length,
  );
  const rest = [...sentences];
  return Array.from({ length: sentences.length + own.length }, (_, index) => {
    const place = places.indexOf(index);
    return (place < 0 ? rest.shift() : own[place]) ?? '';
  });
}

function filled(sentence: string, random: Random): string {
  return sentence.replaceAll(/\{(\w+)\}/g, (_, name: string) => random.pick(WORDS[name] ?? ['']));
}

function paragraphsOf(sentences: readonly string[]): string[] {
  const count = Math.ceil(sentences.length / SENTENCES_OF_A_PARAGRAPH);
  return Array.from({ length: count }, (_, index) =>
    sentences.slice(index * SENTENCES_OF_A_PARAGRAPH, (index + 1) * SENTENCES_OF_A_PARAGRAPH).join(' '),
  );
}

/** The text before the first heading, and the sections. */
export function partsOf(text: string): { lead: string[]; sections: Section[] } {
  const [lead = '', ...rest] = text.split(/^== (.+) ==$/m);
  const paragraphs = (part: string): string[] => part.split(/\n{2,}/).flatMap((one) => one.trim() || []);
  const sections = rest.flatMap((heading, index) =>
    index % 2 === 0 ? { heading, paragraphs: paragraphs(rest[index + 1] ?? '') } : [],
  );
  return { lead: paragraphs(lead), sections };
}
