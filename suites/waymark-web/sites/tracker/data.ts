/** Cairn: projects and their issues. */
import { seeded, seedOf } from '../../../shared/random.ts';
import { peopleOf } from '../../frame/people.ts';

export const STATUSES = ['To do', 'In progress', 'In review', 'Done'] as const;
export const PRIORITIES = ['Low', 'Medium', 'High'] as const;
export const LABELS = ['bug', 'design', 'docs', 'speed'] as const;
export type Status = (typeof STATUSES)[number];

export interface Issue {
  readonly project: string;
  readonly title: string;
  status: Status;
  /** The name of a member; empty where nobody is. */
  assignee: string;
  priority: (typeof PRIORITIES)[number];
  labels: string[];
  comments: { by: string; text: string }[];
}

export interface Project {
  readonly name: string;
  readonly members: readonly string[];
}

export interface TrackerData {
  readonly me: string;
  readonly projects: Readonly<Record<string, Project>>;
  /** `ATL-14`. */
  readonly issues: Record<string, Issue>;
}

const PROJECTS = [
  ['ATL', 'Atlas app'],
  ['BRG', 'Bridge server'],
  ['CMP', 'Compass website'],
] as const;
const PARTS = [
  'heading',
  'search',
  'export',
  'upload',
  'profile',
  'invoice',
  'map',
  'report',
  'calendar',
  'sidebar',
  'help',
  'menu',
];
const FAULTS = [
  'page is blank on a phone',
  'shows the wrong date',
  'takes ten seconds',
  'forgets what was entered',
  'has an unreadable text',
  'fails for names with an accent',
  'needs a second click',
];
const REMARKS = [
  'I can reproduce it.',
  'It began with the last release.',
  'A customer asked about it again.',
  'There is a draft of a fix.',
];

export function makeTracker(seed: number): TrackerData {
  const random = seeded(seedOf('tracker', seed));
  const { me, others } = peopleOf(seed);
  const names = others.map(({ name }) => name);
  const projects = Object.fromEntries(
    PROJECTS.map(([key, name]) => [key, { name, members: [me.name, ...random.some(names, 5)].sort() }]),
  );
  const titles = random.shuffle(PARTS.flatMap((part) => FAULTS.map((fault) => `The ${part} ${fault}`)));
  const issues = PROJECTS.flatMap(([key], project) =>
    Array.from({ length: 24 }, (_, index): [string, Issue] => [
      `${key}-${index + 1}`,
      {
        project: key,
        title: titles[project * 24 + index] ?? '',
        status: random.pick(STATUSES),
        assignee: random.pick(['', ...(projects[key]?.members ?? [])]),
        priority: random.pick(PRIORITIES),
        labels: random.some(LABELS, random.int(0, 2)),
        comments: random.int(0, 2) === 0 ? [{ by: random.pick(names), text: random.pick(REMARKS) }] : [],
      },
    ]),
  );
  return { me: me.name, projects, issues: Object.fromEntries(issues) };
}
