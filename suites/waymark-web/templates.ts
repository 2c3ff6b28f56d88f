/** The task templates of the benchmark. `waymark run suites/waymark-web --seeds 0..9` makes their instances. */
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

/** The tasks of one seed, each with its transcripts. */
export default function instances(seed: number): TaskFiles[] {
  const world = makeWorld(seed);
  return TEMPLATES.map((template) => instantiate(template, world, seed));
}
