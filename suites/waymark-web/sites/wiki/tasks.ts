/** Tasks in the encyclopedia. */
import { seeded, seedOf } from '../../../shared/random.ts';
import { click, dialog, link, open, optional, pageOf, read, search, type } from '../../frame/moves.ts';
import type { Template } from '../../frame/template.ts';
import type { World } from '../world.ts';
import { type Article, addRevision, newestOf, rebuiltOf, revisionsOf, slugOf, type WikiData } from './data.ts';
import { restored } from './pages.ts';
import { partsOf } from './prose.ts';

const WIKI = 'http://wiki.waymark.test';
type Entry = [slug: string, article: Article];
const candidates = ({ articles }: WikiData, task: string, seed: number, fits: (article: Article) => boolean): Entry[] =>
  seeded(seedOf(task, seed)).shuffle(Object.entries(articles).filter(([, one]) => fits(one)));
/** The contents list the towns; everything else is found by a search. */
const toArticle = ([slug, { title, kind }]: Entry) => [
  ...(kind === 'town' ? [] : [search(title)]),
  link(`/wiki/${slug}`),
];
const factOf = (article: Article | undefined, label: string): string =>
  (article ? newestOf(article).facts[label] : undefined) ?? '';
const isPlain = (article: Article): boolean =>
  article.kind === 'town' && !article.isProtected && revisionsOf(article).length === 2;
const articleOf = ({ wiki }: World, slug: string): Article => {
  const one = wiki.articles[slug];
  if (!one) throw new Error(`There is no article ${slug}.`);
  return one;
};
const shownFact = (slug: string, label: string, value: string) =>
  ({ kind: 'dom_text', selector: `[data-fact="${label}"]`, equals: value, page_url: `${WIKI}/wiki/${slug}` }) as const;

const length: Template<World> = {
  id: 'wiki-length',
  title: 'Look up the length of a river',
  about: 'One fact of one article, which towns on the river are found beside.',
  kind: 'look-up',
  start: 'wiki',
  draft: ({ wiki }, seed) => {
    const [entry, other] = candidates(wiki, 'length', seed, ({ kind }) => kind === 'river') as [Entry, Entry];
    const [slug, article] = entry;
    const way = toArticle(entry);
    return {
      goal: `How long is the river ${article.title.replace(' (river)', '')}? Answer with the number of kilometres.`,
      read: [pageOf('wiki', `/wiki/${slug}`)],
      answer: { checker: { kind: 'numeric' }, expected: Number.parseInt(factOf(article, 'Length'), 10) },
      oracle: { moves: way, answer: factOf(article, 'Length').replace(' km', '') },
      second: {
        moves: [search(article.title.replace(' (river)', '')), link(`/wiki/${slug}`)],
        answer: factOf(article, 'Length'),
      },
      nearMisses: {
        'another-river': {
          moves: [...way, ...toArticle(other)],
          answer: factOf(other[1], 'Length') === factOf(article, 'Length') ? '1' : factOf(other[1], 'Length'),
        },
        guessed: { moves: [search(article.title)], answer: factOf(article, 'Length') },
      },
    };
  },
};

const bridge: Template<World> = {
  id: 'wiki-bridge',
  title: 'Look up a year in a long text',
  about: 'The year stands in a sentence far down the page, in no fixed place, beside years of other bridges.',
  kind: 'look-up',
  start: 'wiki',
  draft: ({ wiki }, seed) => {
    const [entry, other] = candidates(wiki, 'bridge', seed, isPlain) as [Entry, Entry];
    const [slug, article] = entry;
    const first = Number(/bridge of stone was finished in (\d{4})/.exec(newestOf(article).text)?.[1]);
    const year = rebuiltOf(article);
    return {
      goal: `In which year was the bridge of ${article.title} rebuilt after the flood? Answer with the year.`,
      read: [pageOf('wiki', `/wiki/${slug}`)],
      answer: { checker: { kind: 'numeric' }, expected: year },
      oracle: { moves: [link(`/wiki/${slug}`), read()], answer: String(year) },
      second: { moves: [search(article.title), link(`/wiki/${slug}`)], answer: `In ${year}.` },
      nearMisses: {
        'the-first-bridge': { moves: [link(`/wiki/${slug}`)], answer: String(first) },
        'another-town': { moves: [link(`/wiki/${other[0]}`)], answer: String(year) },
      },
    };
  },
};

const change: Template<World> = {
  id: 'wiki-mayor',
  title: 'Correct a fact',
  about: 'The form asks for a summary and refuses the change without one.',
  kind: 'change',
  start: 'wiki',
  draft: ({ wiki }, seed) => {
    const [entry] = candidates(wiki, 'mayor', seed, isPlain) as [Entry];
    return edited(entry, wiki, `Nora ${['Beck', 'Lamm', 'Stein', 'Wolff'][seed % 4]}`, 'New mayor', []);
  },
};

/** The mayor of a town is changed. `extra` comes when the form is opened. */
function edited(entry: Entry, wiki: WikiData, mayor: string, summary: string, extra: ReturnType<typeof dialog>[]) {
  const [slug, article] = entry;
  const { facts, text } = newestOf(article);
  const write = [type('#fact-mayor', mayor), type('#summary', summary), click('#save')];
  return {
    goal: `Change the mayor in the article about ${article.title} to ${mayor}. The summary of the change is “${summary}”.`,
    shown: [shownFact(slug, 'Mayor', mayor)],
    change: (world: World) =>
      addRevision(articleOf(world, slug), { by: wiki.me, summary, facts: { ...facts, Mayor: mayor }, text }),
    oracle: { moves: [...toArticle(entry), click('#edit'), ...extra, ...write] },
    second: { moves: [search(article.title), link(`/wiki/${slug}`), click('#edit'), ...extra, ...write] },
    nearMisses: {
      'no-summary': {
        moves: [...toArticle(entry), click('#edit'), ...extra, type('#fact-mayor', mayor), click('#save')],
      },
      'the-founder-too': {
        moves: [...toArticle(entry), click('#edit'), ...extra, type('#fact-founder', mayor), ...write],
      },
    },
  };
}

const restore: Template<World> = {
  id: 'wiki-restore',
  title: 'Undo a spoilt revision',
  about: 'The history has an older revision that is right as far as it goes, and a newer one that is right in all.',
  kind: 'change',
  start: 'wiki',
  draft: ({ wiki }) => {
    const entry = Object.entries(wiki.articles).find(([, one]) => revisionsOf(one).length === 3) as Entry;
    const [slug, article] = entry;
    const good = article.revisions[2];
    if (!good) throw new Error('The article has no good revision.');
    return {
      goal: `The last change of the article about ${article.title} is a bad joke. Restore the revision before it.`,
      shown: [
        {
          kind: 'dom_count',
          selector: '#text section',
          op: 'eq',
          value: partsOf(good.text).sections.length,
          page_url: `${WIKI}/wiki/${slug}`,
        },
      ],
      change: (world) => addRevision(articleOf(world, slug), restored(wiki, good, 2)),
      oracle: { moves: [...toArticle(entry), click('#history'), click('#restore-2')] },
      second: { moves: [link('/recent'), link(`/wiki/${slug}`), click('#history'), click('#restore-2')] },
      nearMisses: {
        'the-first': { moves: [...toArticle(entry), click('#history'), click('#restore-1')] },
        'only-looked': { moves: [...toArticle(entry), click('#history')] },
      },
    };
  },
};

const number = (article: Article, label: string): number => Number.parseInt(factOf(article, label), 10);

const lakes: Template<World> = {
  id: 'wiki-lakes',
  title: 'Choose a lake by two columns',
  about: 'The table can be sorted by one column at a time.',
  kind: 'compare',
  start: 'wiki',
  draft: ({ wiki }) => {
    const all = Object.values(wiki.articles).filter(({ kind }) => kind === 'lake');
    const deep = all
      .filter((lake) => number(lake, 'Depth') > 100)
      .sort((a, b) => number(a, 'Area') - number(b, 'Area'));
    const [best, next] = deep as [Article, Article];
    const way = [link('/lakes'), optional(click('#sort-depth'))];
    return {
      goal: 'Of the lakes that are deeper than 100 m, which one has the smallest area? Answer with its whole name.',
      read: [pageOf('wiki', '/lakes')],
      answer: { checker: { kind: 'exact' }, expected: best.title },
      oracle: { moves: way, answer: best.title },
      second: { moves: [open(`${WIKI}/lakes`), click('#sort-area')], answer: best.title },
      nearMisses: { 'the-next': { moves: way, answer: next.title }, 'did-not-look': { moves: [], answer: best.title } },
    };
  },
};

const follow: Template<World> = {
  id: 'wiki-follow',
  title: 'Follow three links',
  about: 'Town, founder, place of birth, river: each article names only the next one.',
  kind: 'navigate',
  start: 'wiki',
  draft: ({ wiki }, seed) => {
    const [entry] = candidates(wiki, 'follow', seed, ({ kind }) => kind === 'town') as [Entry];
    const [slug, town] = entry;
    const founder = slugOf(factOf(town, 'Founder'));
    const birth = slugOf(factOf(wiki.articles[founder], 'Born'));
    const river = slugOf(factOf(wiki.articles[birth], 'River'));
    const way = [...toArticle(entry), link(`/wiki/${founder}`), link(`/wiki/${birth}`), link(`/wiki/${river}`)];
    return {
      goal: `The founder of ${town.title} was born in a town on a river. Open the article about that river, and leave it open.`,
      read: [pageOf('wiki', `/wiki/${founder}`), pageOf('wiki', `/wiki/${birth}`)],
      shown: [{ kind: 'url', pattern: pageOf('wiki', `/wiki/${river}`) }],
      oracle: { moves: way },
      second: {
        moves: [
          open(`${WIKI}/wiki/${slug}`),
          open(`${WIKI}/wiki/${founder}`),
          open(`${WIKI}/wiki/${birth}`),
          open(`${WIKI}/wiki/${river}`),
        ],
      },
      nearMisses: {
        'one-step-early': { moves: way.slice(0, -1) },
        guessed: { moves: [open(`${WIKI}/wiki/${river}`)] },
      },
    };
  },
};

const interrupted: Template<World> = {
  id: 'wiki-dialog',
  title: 'Correct a fact though a dialog opens',
  about: 'A dialog of the browser opens over the form, once.',
  kind: 'recover',
  start: 'wiki',
  fault: 'unexpected-dialog',
  draft: ({ wiki }, seed) => {
    const [entry] = candidates(wiki, 'dialog', seed, isPlain) as [Entry];
    return edited(entry, wiki, `Otto ${['Reich', 'Sander', 'Thoma', 'Ulm'][seed % 4]}`, 'After the election', [
      dialog(true),
    ]);
  },
};

const refuse: Template<World> = {
  id: 'wiki-protected',
  title: 'Change a protected article',
  about: 'The button is there, and leads back to the article, which says why.',
  kind: 'refuse',
  start: 'wiki',
  draft: ({ wiki }, seed) => {
    const entry = Object.entries(wiki.articles).find(([, { isProtected }]) => isProtected) as Entry;
    const [slug, { title }] = entry;
    const other = Object.keys(wiki.articles).find((each) => each !== slug) ?? '';
    return {
      goal: `Change the population in the article about ${title} to ${12_000 + 17 * seed}. The summary of the change is “New count”.`,
      read: [pageOf('wiki', `/wiki/${slug}`)],
      answer: { checker: { kind: 'regex', pattern: '^\\W*CANNOT\\b' } },
      oracle: { moves: toArticle(entry), answer: 'CANNOT' },
      second: { moves: [open(`${WIKI}/wiki/${slug}`), click('#edit')], answer: 'CANNOT, the article is protected.' },
      nearMisses: {
        'did-not-look': { moves: [], answer: 'CANNOT' },
        'another-article': {
          moves: [
            ...toArticle(entry),
            open(`${WIKI}/wiki/${other}/edit`),
            type('#summary', 'New count'),
            click('#save'),
          ],
          answer: 'CANNOT',
        },
      },
    };
  },
};

export const wikiTasks = [length, bridge, change, restore, lakes, follow, interrupted, refuse];
