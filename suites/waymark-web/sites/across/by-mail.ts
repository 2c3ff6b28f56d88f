/** Tasks that begin in the mailbox: a colleague asks for something that is done on another site. */
import type { Move } from '../../../../src/agents/transcript.ts';
import { click, link, open, pageOf, search, select, type } from '../../frame/moves.ts';
import type { Drafted, Template } from '../../frame/template.ts';
import { nextEvent } from '../calendar/pages.ts';
import { errandsOf, errandTexts } from '../errands.ts';
import { addRevision, newestOf } from '../wiki/data.ts';
import type { World } from '../world.ts';
import { at, present } from './common.ts';

type Errand = keyof ReturnType<typeof errandsOf>;

interface Deed extends Pick<Drafted<World>, 'shown' | 'change'> {
  /** From the start page of the other site. */
  readonly moves: readonly Move[];
  readonly site: string;
  /** By address, without the search. */
  readonly direct: readonly Move[];
  readonly nearMisses: Readonly<Record<string, readonly Move[]>>;
}

/** A colleague asks for something by mail. The goal names the colleague only. */
function byMail(errand: Errand, about: string, deedOf: (world: World, seed: number) => Deed): Template<World> {
  return {
    id: `across-mail-${errand}`,
    title: `Do what a message asks for (${errand})`,
    about,
    kind: 'change',
    start: 'mail',
    draft: (world, seed) => {
      const all = errandsOf(seed);
      const [subject] = errandTexts(all)[errand];
      const { from } = all[errand];
      const [id] = present(
        Object.entries(world.mail.messages).find(
          ([, message]) => message.subject === subject && message.from === from.email,
        ),
      );
      const { moves, direct, site, shown = [], change, nearMisses } = deedOf(world, seed);
      const look = [search(subject), link(`/messages/${id}`)];
      return {
        goal: `Do what ${from.name} asks for in the message “${subject}”. The site for it is ${at(site)}.`,
        read: [pageOf('mail', `/messages/${id}`)],
        shown,
        ...(change ? { change } : {}),
        oracle: { moves: [...look, open(at(site)), ...moves] },
        second: { moves: [open(at('mail', `/messages/${id}`)), ...direct] },
        nearMisses: {
          'only-read': { moves: look },
          ...Object.fromEntries(
            Object.entries(nearMisses).map(([name, wrong]) => [name, { moves: [...look, open(at(site)), ...wrong] }]),
          ),
        },
      };
    },
  };
}

const issueShown = (id: string, field: string, value: string) =>
  ({ kind: 'dom_value', selector: `#${field}`, selected: value, page_url: at('tracker', `/issues/${id}`) }) as const;

const urgent = byMail('urgent', 'The number of the issue stands in the message only.', ({ tracker }, seed) => {
  const { issue } = errandsOf(seed).urgent;
  const { title, status } = present(tracker.issues[issue]);
  const way = [search(title), link(`/issues/${issue}`)];
  const set = [select('#priority', 'High'), click('#save')];
  const other = status === 'Done' ? 'To do' : 'Done';
  return {
    site: 'tracker',
    shown: [issueShown(issue, 'priority', 'High')],
    change: (world) => {
      present(world.tracker.issues[issue]).priority = 'High';
    },
    moves: [...way, ...set],
    direct: [open(at('tracker', `/issues/${issue}`)), ...set],
    nearMisses: {
      'medium-only': [...way, select('#priority', 'Medium'), click('#save')],
      'another-status-too': [...way, select('#status', other), ...set],
    },
  };
});

const assign = byMail('assign', 'Issue and person stand in the message only.', ({ tracker }, seed) => {
  const { issue, member } = errandsOf(seed).assign;
  const { title, project, assignee } = present(tracker.issues[issue]);
  const way = [search(title), link(`/issues/${issue}`)];
  const set = [select('#assignee', member), click('#save')];
  const other = present(tracker.projects[project]?.members.find((name) => name !== member && name !== assignee));
  return {
    site: 'tracker',
    shown: [issueShown(issue, 'assignee', member)],
    change: (world) => {
      present(world.tracker.issues[issue]).assignee = member;
    },
    moves: [...way, ...set],
    direct: [open(at('tracker', `/issues/${issue}`)), ...set],
    nearMisses: {
      'somebody-else': [...way, select('#assignee', other), click('#save')],
      'not-saved': [...way, ...set.slice(0, 1)],
    },
  };
});

const meeting = byMail('meeting', 'Day and time stand in the message only.', ({ calendar }, seed) => {
  const { title, day, start, end } = errandsOf(seed).meeting;
  const id = nextEvent(calendar);
  const fill = [type('#title', title), type('#day', day), select('#start', start), select('#end', end)];
  return {
    site: 'calendar',
    shown: [
      { kind: 'dom_text', selector: '#time', contains: `${start}–${end}`, page_url: at('calendar', `/events/${id}`) },
    ],
    change: (world) => {
      world.calendar.events[id] = { title, day, start, end, room: '', isWeekly: false, skips: [] };
    },
    moves: [link('/new'), ...fill, click('#save')],
    direct: [open(at('calendar', `/new?${new URLSearchParams({ title, day, start, end })}`)), click('#save')],
    nearMisses: {
      'not-saved': [link('/new'), ...fill],
      'with-a-room': [link('/new'), ...fill, select('#room', 'Alder'), click('#save')],
    },
  };
});

const kitchen = byMail('kitchen', 'Product and quantity stand in the message only.', (_, seed) => {
  const { product, count } = errandsOf(seed).kitchen;
  const way = [search(product.name), link(`/products/${product.id}`)];
  const add = [select('#count', String(count)), click('#add')];
  return {
    site: 'shop',
    shown: [
      {
        kind: 'dom_text',
        selector: `tr[data-product="${product.id}"] td.number`,
        equals: String(count),
        page_url: at('shop', '/cart'),
      },
    ],
    change: (world) => {
      world.shop.cart[product.id] = count;
    },
    moves: [...way, ...add],
    direct: [open(at('shop', `/products/${product.id}`)), ...add],
    nearMisses: { 'one-piece': [...way, click('#add')], 'a-wish-too': [...way, ...add, ...way, click('#wish')] },
  };
});

const customer = byMail('customer', 'The note stands in the message only, and must be copied exactly.', (_, seed) => {
  const { id, name, note } = errandsOf(seed).customer;
  const way = [search(name), link(`/customers/${id}`)];
  const add = [type('#note', note), click('#add-note')];
  return {
    site: 'desk',
    shown: [
      { kind: 'dom_text', selector: '#notes li:last-child', equals: note, page_url: at('desk', `/customers/${id}`) },
    ],
    change: (world) => {
      const one = present(world.desk.customers[id]);
      one.notes = [...one.notes, note];
    },
    moves: [...way, ...add],
    direct: [open(at('desk', `/customers/${id}`)), ...add],
    nearMisses: {
      'another-text': [...way, type('#note', 'Asked for a refund'), click('#add-note')],
      twice: [...way, ...add, ...add],
    },
  };
});

const mayor = byMail('mayor', 'Town, name and summary stand in the message only.', ({ wiki }, seed) => {
  const { slug, mayor: name } = errandsOf(seed).mayor;
  const { facts, text } = newestOf(present(wiki.articles[slug]));
  const write = [type('#fact-mayor', name), type('#summary', 'New mayor'), click('#save')];
  return {
    site: 'wiki',
    shown: [{ kind: 'dom_text', selector: '[data-fact="Mayor"]', equals: name, page_url: at('wiki', `/wiki/${slug}`) }],
    change: (world) =>
      addRevision(present(world.wiki.articles[slug]), {
        by: wiki.me,
        summary: 'New mayor',
        facts: { ...facts, Mayor: name },
        text,
      }),
    moves: [link(`/wiki/${slug}`), click('#edit'), ...write],
    direct: [open(at('wiki', `/wiki/${slug}/edit`)), ...write],
    nearMisses: {
      'founder-instead': [link(`/wiki/${slug}`), click('#edit'), type('#fact-founder', name), ...write.slice(1)],
    },
  };
});

export const byMailTasks = [urgent, assign, meeting, kitchen, customer, mayor];
