/** Tasks that end in the mailbox: a fact of one site is sent to somebody. */
import type { Move } from '../../../../src/agents/transcript.ts';
import { seeded, seedOf } from '../../../shared/random.ts';
import { click, link, open, pageOf, search, type } from '../../frame/moves.ts';
import { peopleOf } from '../../frame/people.ts';
import type { Template } from '../../frame/template.ts';
import { nextMessage, sentMessage } from '../mail/pages.ts';
import { newestOf } from '../wiki/data.ts';
import type { World } from '../world.ts';
import { at, present } from './common.ts';

interface Fact {
  readonly goal: string;
  /** The page that has the fact. */
  readonly page: string;
  readonly look: readonly Move[];
  readonly direct: readonly Move[];
  readonly site: string;
  readonly to: string;
  readonly text: string;
  readonly wrong: string;
}

/** A fact of one site is sent by mail. */
function toMail(id: string, about: string, factOf: (world: World, seed: number) => Fact): Template<World> {
  return {
    id: `across-${id}-mail`,
    title: `Send a fact by mail (${id})`,
    about,
    kind: 'change',
    start: id,
    draft: (world, seed) => {
      const { goal, page, look, direct, site, to, text, wrong } = factOf(world, seed);
      const sent = nextMessage(world.mail);
      const write = (body: string) => [
        click('#compose'),
        type('#to', to),
        type('#subject', 'As asked'),
        type('#body', body),
        click('#send'),
      ];
      return {
        goal: `${goal} Write at ${at('mail')}, with the subject “As asked”.`,
        read: [pageOf(site, page)],
        shown: [{ kind: 'dom_text', selector: '#text', equals: text, page_url: at('mail', `/messages/${sent}`) }],
        change: (changed) => {
          changed.mail.messages[sent] = sentMessage(world.mail, { to, subject: 'As asked', text });
        },
        oracle: { moves: [...look, open(at('mail')), ...write(text)] },
        second: { moves: [...direct, open(at('mail', '/compose')), ...write(text).slice(1)] },
        nearMisses: {
          'wrong-fact': { moves: [...look, open(at('mail')), ...write(wrong)] },
          'not-sent': { moves: [...look, open(at('mail')), ...write(text).slice(0, -1)] },
        },
      };
    },
  };
}

const colleague = (seed: number, task: string) => seeded(seedOf(task, seed)).pick(peopleOf(seed).others);

const fromTracker = toMail('tracker', 'The assignee of an issue is told something.', ({ tracker }, seed) => {
  const { others } = peopleOf(seed);
  const assigned = Object.entries(tracker.issues).filter(([, { assignee }]) =>
    others.some(({ name }) => name === assignee),
  );
  const [id, { title, assignee }] = seeded(seedOf('from-tracker', seed)).pick(assigned);
  const { email } = present(others.find(({ name }) => name === assignee));
  const text = `Please have a look at ${id}.`;
  return {
    goal: `Write to the person that the issue “${title}” is assigned to: Please have a look at (the number of the issue, such as ATL-99).`,
    site: 'tracker',
    page: `/issues/${id}`,
    look: [search(title), link(`/issues/${id}`)],
    direct: [open(at('tracker', `/issues/${id}`))],
    to: email,
    text,
    wrong: 'Please have a look at ATL-99.',
  };
});

const fromCalendar = toMail('calendar', 'The room of an event is told to a colleague.', ({ calendar }, seed) => {
  const { name, email } = colleague(seed, 'from-calendar');
  const single = Object.entries(calendar.events).filter(([, { isWeekly }]) => !isWeekly);
  const [id, { title, day, room }] = seeded(seedOf('from-calendar', seed)).pick(single);
  return {
    goal: `In which room is the event “${title}”? Write the name of the room, and nothing else, to ${name} (${email}).`,
    site: 'calendar',
    page: `/events/${id}`,
    look: [search(title), link(`/events/${id}?day=${day}`)],
    direct: [open(at('calendar', `/events/${id}`))],
    to: email,
    text: room,
    wrong: room === 'Alder' ? 'Birch' : 'Alder',
  };
});

const fromDesk = toMail('desk', 'What a customer owes is told to a colleague.', ({ desk }, seed) => {
  const { name, email } = colleague(seed, 'from-desk');
  const [id, one] = seeded(seedOf('from-desk', seed)).pick(Object.entries(desk.customers));
  return {
    goal: `What has the customer ${one.name} not paid yet? Write the amount as the record has it, and nothing else, to ${name} (${email}).`,
    site: 'desk',
    page: `/customers/${id}`,
    look: [search(one.name), link(`/customers/${id}`)],
    direct: [open(at('desk', `/customers/${id}`))],
    to: email,
    text: `€${one.owes}`,
    wrong: `€${one.revenue}`,
  };
});

const fromWiki = toMail('wiki', 'A year is told to a colleague.', ({ wiki }, seed) => {
  const { name, email } = colleague(seed, 'from-wiki');
  const towns = Object.entries(wiki.articles).filter(([, { kind }]) => kind === 'town');
  const [slug, town] = seeded(seedOf('from-wiki', seed)).pick(towns);
  const { facts } = newestOf(town);
  return {
    goal: `In which year was ${town.title} founded? Write the year, and nothing else, to ${name} (${email}).`,
    site: 'wiki',
    page: `/wiki/${slug}`,
    look: [link(`/wiki/${slug}`)],
    direct: [open(at('wiki', `/wiki/${slug}`))],
    to: email,
    text: facts['Founded'] ?? '',
    wrong: facts['Population'] ?? '',
  };
});

const fromShop = toMail('shop', 'The price of a product is told to a colleague.', ({ shop }, seed) => {
  const { name, email } = colleague(seed, 'from-shop');
  const one = seeded(seedOf('from-shop', seed)).pick(Object.values(shop.products));
  return {
    goal: `How many grams does the ${one.name} weigh? Write the number, and nothing else, to ${name} (${email}).`,
    site: 'shop',
    page: `/products/${one.id}`,
    look: [search(one.name), link(`/products/${one.id}`)],
    direct: [open(at('shop', `/products/${one.id}`))],
    to: email,
    text: String(one.grams),
    wrong: String(one.grams + 1),
  };
});

export const toMailTasks = [fromTracker, fromCalendar, fromDesk, fromWiki, fromShop];
