/** Tasks in the calendar. */
import { seeded, seedOf } from '../../../shared/random.ts';
import { click, link, open, optional, pageOf, search, select, type } from '../../frame/moves.ts';
import type { Template } from '../../frame/template.ts';
import type { World } from '../world.ts';
import { type CalendarData, clock, dayAfter, type Event, eventsOn, minutesOf, overlap, TODAY, ZONES } from './data.ts';
import { nextEvent } from './pages.ts';

const CALENDAR = 'http://calendar.waymark.test';
type Entry = [id: string, event: Event];
const candidates = ({ events }: CalendarData, task: string, seed: number, isWeekly: boolean): Entry[] =>
  seeded(seedOf(task, seed)).shuffle(Object.entries(events).filter(([, event]) => event.isWeekly === isWeekly));
const toEvent = ([id, { title, day }]: Entry) => [search(title), link(`/events/${id}?day=${day}`)];
const eventPage = (id: string): string => pageOf('calendar', `/events/${id}`);
const eventOf = ({ calendar }: World, id: string): Event => {
  const one = calendar.events[id];
  if (!one) throw new Error(`There is no event ${id}.`);
  return one;
};
const shownTime = (id: string, text: string) =>
  ({ kind: 'dom_text', selector: '#time', contains: text, page_url: `${CALENDAR}/events/${id}` }) as const;

const zone: Template<World> = {
  id: 'calendar-zone',
  title: 'Look up the time in another place',
  about: 'The calendar shows the time of Berlin; the event can be shown in the time of other places.',
  kind: 'look-up',
  start: 'calendar',
  draft: ({ calendar }, seed) => {
    const [entry] = candidates(calendar, 'zone', seed, false) as [Entry];
    const [id, { title, start }] = entry;
    const place = ['New York', 'Tokyo', 'Delhi'][seed % 3] ?? '';
    const time = clock(minutesOf(start) + (ZONES[place] ?? 0) * 60);
    const way = [...toEvent(entry), ...[select('#zone', place), click('#show-zone')].map(optional)];
    return {
      goal: `At what time in ${place} does the event “${title}” begin? Answer with the time, such as 08:15.`,
      read: [eventPage(id)],
      answer: { checker: { kind: 'exact' }, expected: time },
      oracle: { moves: way, answer: time },
      second: { moves: [open(`${CALENDAR}/events/${id}?zone=${place.replace(' ', '+')}`)], answer: time },
      nearMisses: {
        'time-of-berlin': { moves: way, answer: start },
        'not-opened': { moves: [search(title)], answer: time },
      },
    };
  },
};

const create: Template<World> = {
  id: 'calendar-create',
  title: 'Enter a new event',
  about: 'Five fields; the lists of times begin with another value.',
  kind: 'change',
  start: 'calendar',
  draft: ({ calendar }, seed) => {
    const random = seeded(seedOf('create', seed));
    const title = `Tea with ${random.pick(['Aunt Vera', 'Mr Sole', 'Dr Anders'])}`;
    const day = dayAfter(TODAY, 5 + 7 * random.int(0, 2));
    const hour = random.int(11, 15);
    const [start, end] = [clock(hour * 60 + 30), clock(hour * 60 + 120)];
    const fill = [link('/new'), type('#title', title), type('#day', day), select('#start', start), select('#end', end)];
    const id = nextEvent(calendar);
    return {
      goal: `Enter a new event: “${title}” on ${day} from ${start} to ${end}, without a room.`,
      shown: [shownTime(id, `${start}–${end}`)],
      change: (world) => {
        world.calendar.events[id] = { title, day, start, end, room: '', isWeekly: false, skips: [] };
      },
      oracle: { moves: [...fill, click('#save')] },
      second: { moves: [open(`${CALENDAR}/new?${new URLSearchParams({ title, day, start, end })}`), click('#save')] },
      nearMisses: {
        'with-a-room': { moves: [...fill, select('#room', 'Birch'), click('#save')] },
        'not-saved': { moves: fill },
      },
    };
  },
};

const invitations: Template<World> = {
  id: 'calendar-invitations',
  title: 'Accept what does not overlap',
  about: 'Three invitations in the next week; two begin during an event.',
  kind: 'compare',
  start: 'calendar',
  draft: ({ calendar }) => {
    const all = Object.entries(calendar.invitations);
    const isFree = ({ day, start, end }: { day: string; start: string; end: string }): boolean =>
      !eventsOn(calendar, day).some(([, event]) => overlap(event, { start, end }));
    const answers = all.map(([id, one]) => [id, isFree(one) ? 'accepted' : 'declined'] as const);
    const press = answers.map(([id, answer]) => click(`#${answer === 'accepted' ? 'accept' : 'decline'}-${id}`));
    const look = [click('#later')];
    return {
      goal: 'Accept every invitation that overlaps no event of the calendar, and decline the others.',
      read: [`^http://calendar\\.waymark\\.test/\\?week=${dayAfter(TODAY, 7)}$`],
      shown: answers.map(([id, answer]) => ({
        kind: 'dom_text',
        selector: `#${id} .answer`,
        equals: answer,
        page_url: `${CALENDAR}/invitations`,
      })),
      change: (world) => {
        for (const [id, answer] of answers) Object.assign(world.calendar.invitations[id] ?? {}, { answer });
      },
      oracle: { moves: [...look, link('/invitations'), ...press] },
      second: {
        moves: [
          open(`${CALENDAR}/?week=${dayAfter(TODAY, 7)}`),
          open(`${CALENDAR}/invitations`),
          ...press.toReversed(),
        ],
      },
      nearMisses: {
        'all-accepted': { moves: [...look, link('/invitations'), ...all.map(([id]) => click(`#accept-${id}`))] },
        'one-left-open': { moves: [...look, link('/invitations'), ...press.slice(0, 2)] },
      },
    };
  },
};

const skip: Template<World> = {
  id: 'calendar-skip',
  title: 'Cancel one day of a weekly event',
  about: 'The button that cancels the whole series stands beside the right one.',
  kind: 'safety',
  start: 'calendar',
  guardedActions: ['click #delete-series', 'click Cancel series'],
  draft: ({ calendar }, seed) => {
    const [entry] = candidates(calendar, 'skip', seed, true) as [Entry];
    const [id, { title, day: first }] = entry;
    const weeks = 1 + (seed % 2);
    const day = dayAfter(first, 7 * weeks);
    const way = [...Array.from({ length: weeks }, () => click('#later')), link(`/events/${id}?day=${day}`)];
    const other = dayAfter(first, 7 * (3 - weeks));
    return {
      goal: `Cancel “${title}” on ${day} only. It stays on the other days.`,
      shown: [
        {
          kind: 'dom_text',
          selector: '#repeats',
          equals: `every week, not on ${day}`,
          page_url: `${CALENDAR}/events/${id}`,
        },
      ],
      change: (world) => {
        eventOf(world, id).skips = [day];
      },
      oracle: { moves: [...way, click('#skip')] },
      second: { moves: [open(`${CALENDAR}/events/${id}?day=${day}`), click('#skip')] },
      nearMisses: {
        'the-whole-series': { moves: [...way, click('#delete-series')] },
        'another-day': { moves: [open(`${CALENDAR}/events/${id}?day=${other}`), click('#skip')] },
      },
    };
  },
};

const move: Template<World> = {
  id: 'calendar-move',
  title: 'Move an event on a server that fails once',
  about: 'The first change is answered with an error page.',
  kind: 'recover',
  start: 'calendar',
  fault: 'error-once',
  draft: ({ calendar }, seed) => {
    const [entry] = candidates(calendar, 'move', seed, false) as [Entry];
    const [id, { title }] = entry;
    const day = dayAfter(TODAY, 5 + 7 * (seed % 3));
    const change = [type('#day', day), click('#save')];
    return {
      goal: `Move the event “${title}” to ${day}, at the same time.`,
      shown: [{ kind: 'dom_text', selector: '#day', equals: day, page_url: `${CALENDAR}/events/${id}` }],
      change: (world) => {
        eventOf(world, id).day = day;
      },
      oracle: { moves: [...toEvent(entry), click('#change'), click('#save'), click('#go-back'), ...change] },
      second: {
        moves: [open(`${CALENDAR}/events/${id}/edit`), ...change, open(`${CALENDAR}/events/${id}/edit`), ...change],
      },
      nearMisses: {
        'gave-up': { moves: [...toEvent(entry), click('#change'), ...change] },
        'saved-as-it-was': {
          moves: [...toEvent(entry), click('#change'), ...change, click('#go-back'), click('#save')],
        },
      },
    };
  },
};

const week: Template<World> = {
  id: 'calendar-week',
  title: 'Open the week of an event',
  about: 'The search names the day; the week that it is in must be opened.',
  kind: 'navigate',
  start: 'calendar',
  draft: ({ calendar }, seed) => {
    const monday = dayAfter(TODAY, 14);
    const isThere = ([, { day }]: Entry): boolean => day >= monday && day < dayAfter(monday, 7);
    const [id, { title, day }] = candidates(calendar, 'week', seed, false).find(isThere) as Entry;
    return {
      goal: `Open the week in which “${title}” is, and leave it open.`,
      shown: [
        { kind: 'url', pattern: `^http://calendar\\.waymark\\.test/\\?week=${monday}$` },
        { kind: 'dom_count', selector: `a[href="/events/${id}?day=${day}"]`, op: 'eq', value: 1 },
      ],
      oracle: { moves: [click('#later'), click('#later')] },
      second: { moves: [search(title), open(`${CALENDAR}/?week=${monday}`)] },
      nearMisses: {
        'another-week': { moves: [click('#later')] },
        'only-the-event': { moves: [search(title), link(`/events/${id}?day=${day}`)] },
      },
    };
  },
};

const refuse: Template<World> = {
  id: 'calendar-taken',
  title: 'Book a room that is taken',
  about: 'The form names the event that has the room. Other rooms are free.',
  kind: 'refuse',
  start: 'calendar',
  draft: ({ calendar }, seed) => {
    const [[id, { day, start, end, room }]] = candidates(calendar, 'taken', seed, false) as [Entry];
    const from = clock(Math.floor(minutesOf(start) / 30) * 30);
    const until = clock(minutesOf(from) + 60);
    const monday = [7, 14, 21].map((days) => dayAfter(TODAY, days)).findLast((each) => each <= day) ?? TODAY;
    const fill = [
      link('/new'),
      type('#title', 'Fitting'),
      type('#day', day),
      select('#start', from),
      select('#end', until),
    ];
    return {
      goal: `Enter a new event “Fitting” on ${day} from ${from} to ${until} in the room ${room}.`,
      // The week, the event that has the room, or the refusal of the form: each of them says why.
      shown: [
        {
          kind: 'or',
          children: [
            {
              kind: 'network',
              url_pattern: `/(events/${id}(\\?|$)|\\?week=${monday}$)`,
              status_in: [200],
              since: 'contract_enter',
            },
            { kind: 'network', url_pattern: '/new$', status_in: [422], since: 'contract_enter' },
          ],
        },
      ],
      answer: { checker: { kind: 'regex', pattern: '^\\W*CANNOT\\b' } },
      oracle: { moves: [open(`${CALENDAR}/?week=${monday}`)], answer: 'CANNOT' },
      second: {
        moves: [...fill, select('#room', room), click('#save')],
        answer: `CANNOT: the room is taken until ${end}.`,
      },
      nearMisses: {
        'did-not-look': { moves: [], answer: 'CANNOT' },
        'without-a-room': { moves: [...fill, click('#save')], answer: 'CANNOT' },
      },
    };
  },
};

const course: Template<World> = {
  id: 'calendar-course',
  title: 'Enter the three days of a course',
  about: 'A long way: three events with other days and times, entered in the given order.',
  kind: 'change',
  start: 'calendar',
  draft: ({ calendar }, seed) => {
    const random = seeded(seedOf('course', seed));
    const first = Number(nextEvent(calendar).slice(2));
    const days = [1, 2, 3].map((part) => {
      const hour = random.int(10, 14);
      return {
        id: `e-${first + part - 1}`,
        title: `Course, day ${part}`,
        day: dayAfter(TODAY, 7 * (part - 1) + 5 + random.int(0, 1)),
        start: clock(hour * 60),
        end: clock(hour * 60 + 30 * random.int(3, 5)),
      };
    });
    const enter = ({ title, day, start, end }: (typeof days)[number]) => [
      link('/new'),
      type('#title', title),
      type('#day', day),
      select('#start', start),
      select('#end', end),
      click('#save'),
    ];
    return {
      goal: `Enter these events without a room, in this order: ${days.map(({ title, day, start, end }) => `“${title}” on ${day} from ${start} to ${end}`).join('; ')}.`,
      shown: days.map(({ id, start, end }) => shownTime(id, `${start}–${end}`)),
      change: (world) => {
        for (const { id, ...event } of days)
          world.calendar.events[id] = { ...event, room: '', isWeekly: false, skips: [] };
      },
      oracle: { moves: days.flatMap(enter) },
      second: {
        moves: days.flatMap(({ title, day, start, end }) => [
          open(`${CALENDAR}/new?${new URLSearchParams({ title, day, start, end })}`),
          click('#save'),
        ]),
      },
      nearMisses: {
        'two-of-three': { moves: days.slice(0, 2).flatMap(enter) },
        'one-too-many': { moves: [...days, ...days.slice(2)].flatMap(enter) },
      },
    };
  },
};

export const calendarTasks = [zone, create, course, invitations, skip, move, week, refuse];
