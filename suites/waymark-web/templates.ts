/** The task templates of the benchmark. `waymark run suites/waymark-web --seeds 0..9` makes their instances. */
import { click, open } from './frame/moves.ts';
import { instantiate, type TaskFiles } from './frame/template.ts';
import { acrossTasks } from './sites/across/tasks.ts';
import { calendarTasks } from './sites/calendar/tasks.ts';
import { deskTasks } from './sites/desk/tasks.ts';
import { mailTasks } from './sites/mail/tasks.ts';
import { shopTasks } from './sites/shop/tasks.ts';
import { trackerTasks } from './sites/tracker/tasks.ts';
import { wikiTasks } from './sites/wiki/tasks.ts';
import { makeWorld } from './sites/world.ts';

export const TEMPLATES = [
  ...shopTasks,
  ...mailTasks,
  ...trackerTasks,
  ...deskTasks,
  ...wikiTasks,
  ...calendarTasks,
  ...acrossTasks,
];

/** A new event, which no task asks for. */
const EXTRA_CHANGE = [
  open('http://calendar.waymark.test/new?title=One+more&day=2026-05-31&start=07:00&end=07:30'),
  click('#save'),
];

/** The tasks of one seed, each with its transcripts. */
export default function instances(seed: number): TaskFiles[] {
  const world = makeWorld(seed);
  return TEMPLATES.map((template) => instantiate(template, world, seed, EXTRA_CHANGE));
}
