/** Tasks in the tracker. */
import { seeded, seedOf } from '../../../shared/random.ts';
import { click, drag, link, open, optional, pageOf, search, select, type, waitFor } from '../../frame/moves.ts';
import type { Template } from '../../frame/template.ts';
import type { World } from '../world.ts';
import { type Issue, STATUSES, type TrackerData } from './data.ts';
import { filtered } from './pages.ts';

const TRACKER = 'http://tracker.waymark.test';
type Entry = [id: string, issue: Issue];

/** Issues that a task may be about, in an order of its own. */
function candidates(tracker: TrackerData, task: string, seed: number, fits: (issue: Issue) => boolean): Entry[] {
  const all = Object.entries(tracker.issues).filter(([, issue]) => fits(issue));
  if (all.length < 3) throw new Error(`The tracker of seed ${seed} has too few issues for ${task}.`);
  return seeded(seedOf(task, seed)).shuffle(all);
}

const issueOf = ({ tracker }: World, id: string): Issue => {
  const issue = tracker.issues[id];
  if (!issue) throw new Error(`There is no issue ${id}.`);
  return issue;
};
const toIssue = ([id, { title }]: Entry) => [search(title), link(`/issues/${id}`)];
const selected = (id: string, field: string, value: string) =>
  ({ kind: 'dom_value', selector: `#${field}`, selected: value, page_url: `${TRACKER}/issues/${id}` }) as const;
/** A member of the issue's project who is not on it. */
const anotherMember = ({ projects }: TrackerData, { project, assignee }: Issue, seed: number): string =>
  seeded(seedOf('member', seed)).pick((projects[project]?.members ?? []).filter((name) => name !== assignee));

const count: Template<World> = {
  id: 'tracker-count',
  title: 'Count the issues of one person',
  about: 'Two filters together. The list without one of them is longer.',
  kind: 'look-up',
  start: 'tracker',
  draft: ({ tracker }, seed) => {
    const random = seeded(seedOf('count', seed));
    const names = random.shuffle([...new Set(Object.values(tracker.projects).flatMap(({ members }) => members))]);
    const numberOf = (filter: Record<string, string>): number => filtered(tracker, new URLSearchParams(filter)).length;
    const assignee = names.find((name) => {
      const some = numberOf({ assignee: name, status: 'In progress' });
      return some > 0 && some < numberOf({ assignee: name });
    });
    if (assignee === undefined) throw new Error(`The tracker of seed ${seed} has nobody for tracker-count.`);
    const right = numberOf({ assignee, status: 'In progress' });
    // A patient agent counts in the whole list.
    const filter = [
      link('/issues'),
      ...[select('#assignee', assignee), select('#status', 'In progress'), click('#apply')].map(optional),
    ];
    const assigned = numberOf({ assignee });
    const query = new URLSearchParams({ status: 'In progress', assignee });
    return {
      goal: `How many issues with the status “In progress” are assigned to ${assignee}, in all projects together? Answer with the number.`,
      read: [pageOf('tracker', '/issues')],
      answer: { checker: { kind: 'numeric' }, expected: right },
      oracle: { moves: filter, answer: String(right) },
      second: { moves: [open(`${TRACKER}/issues?${query}`)], answer: String(right) },
      nearMisses: {
        'without-the-status': { moves: filter, answer: String(assigned) },
        guessed: { moves: [], answer: String(right) },
      },
    };
  },
};

const assign: Template<World> = {
  id: 'tracker-assign',
  title: 'Assign an issue and set its priority',
  about: 'Two fields of one form; titles of other issues begin with the same words.',
  kind: 'change',
  start: 'tracker',
  draft: ({ tracker }, seed) => {
    const [entry, other] = candidates(tracker, 'assign', seed, ({ priority }) => priority !== 'High') as [Entry, Entry];
    const [id, issue] = entry;
    const member = anotherMember(tracker, issue, seed);
    const edit = [select('#assignee', member), select('#priority', 'High'), click('#save')];
    return {
      goal: `Assign the issue “${issue.title}” to ${member} and set its priority to High.`,
      shown: [selected(id, 'assignee', member), selected(id, 'priority', 'High')],
      change: (world) => {
        Object.assign(issueOf(world, id), { assignee: member, priority: 'High' });
      },
      oracle: { moves: [...toIssue(entry), ...edit] },
      second: {
        moves: [
          open(`${TRACKER}/issues/${id}`),
          select('#priority', 'High'),
          click('#save'),
          select('#assignee', member),
          click('#save'),
        ],
      },
      nearMisses: {
        'not-saved': { moves: [...toIssue(entry), ...edit.slice(0, -1)] },
        'another-issue-too': {
          moves: [...toIssue(entry), ...edit, ...toIssue(other), select('#priority', 'High'), click('#save')],
        },
      },
    };
  },
};

const move: Template<World> = {
  id: 'tracker-drag',
  title: 'Move a card on the board',
  about: 'The card is dragged to another column, or its status is changed on its own page.',
  kind: 'change',
  start: 'tracker',
  draft: ({ tracker }, seed) => {
    const [[id, issue]] = candidates(tracker, 'drag', seed, ({ status }) => status === 'In progress') as [Entry];
    const column = STATUSES.indexOf('In review') + 1;
    return {
      goal: `On the board of ${tracker.projects[issue.project]?.name}, move ${id} from “In progress” to “In review”.`,
      shown: [selected(id, 'status', 'In review')],
      change: (world) => {
        issueOf(world, id).status = 'In review';
      },
      oracle: {
        moves: [
          click(`main a[href="/boards/${issue.project}"]`),
          drag(`#card-${id}`, `#column-${column} h2`),
          waitFor('#moved:not(:empty)'),
        ],
      },
      second: { moves: [open(`${TRACKER}/issues/${id}`), select('#status', 'In review'), click('#save')] },
      nearMisses: {
        'another-column': { moves: [open(`${TRACKER}/boards/${issue.project}`), drag(`#card-${id}`, '#column-4 h2')] },
        'only-looked': { moves: [open(`${TRACKER}/boards/${issue.project}`)] },
      },
    };
  },
};

const duplicates: Template<World> = {
  id: 'tracker-duplicates',
  title: 'Close two duplicates with comments',
  about: 'A comment and a status for each of two issues, and nothing for the third.',
  kind: 'change',
  start: 'tracker',
  draft: ({ tracker }, seed) => {
    const [one, two, kept] = candidates(tracker, 'duplicates', seed, ({ status }) => status !== 'Done') as [
      Entry,
      Entry,
      Entry,
    ];
    const text = `Duplicate of ${kept[0]}`;
    const close = (entry: Entry) => [
      ...toIssue(entry),
      type('#comment', text),
      click('#add-comment'),
      select('#status', 'Done'),
      click('#save'),
    ];
    return {
      goal: `The issues “${one[1].title}” and “${two[1].title}” are duplicates of ${kept[0]}. Comment “${text}” on each of the two and set their status to Done.`,
      shown: [selected(one[0], 'status', 'Done'), selected(two[0], 'status', 'Done')],
      change: (world) => {
        for (const [id] of [one, two]) {
          const issue = issueOf(world, id);
          issue.status = 'Done';
          issue.comments = [...issue.comments, { by: tracker.me, text }];
        }
      },
      oracle: { moves: [...close(one), ...close(two)] },
      second: {
        moves: [two, one].flatMap(([id]) => [
          open(`${TRACKER}/issues/${id}`),
          select('#status', 'Done'),
          click('#save'),
          type('#comment', text),
          click('#add-comment'),
        ]),
      },
      nearMisses: {
        'only-one': { moves: close(one) },
        'the-original-too': {
          moves: [...close(one), ...close(two), ...toIssue(kept), select('#status', 'Done'), click('#save')],
        },
      },
    };
  },
};

const stale: Template<World> = {
  id: 'tracker-stale',
  title: 'Save an issue that somebody else has saved',
  about: 'The first attempt to save is refused because the page is out of date; it must be opened again.',
  kind: 'recover',
  start: 'tracker',
  fault: 'changed-meanwhile',
  draft: ({ tracker }, seed) => {
    const [entry] = candidates(tracker, 'stale', seed, ({ status }) => status === 'To do') as [Entry];
    const [id, issue] = entry;
    const edit = [select('#status', 'In progress'), click('#save')];
    return {
      goal: `Set the status of the issue “${issue.title}” to In progress.`,
      shown: [selected(id, 'status', 'In progress')],
      change: (world) => {
        issueOf(world, id).status = 'In progress';
      },
      oracle: { moves: [...toIssue(entry), click('#save'), click('#reload'), ...edit] },
      second: { moves: [open(`${TRACKER}/issues/${id}`), ...edit, open(`${TRACKER}/issues/${id}`), ...edit] },
      nearMisses: {
        'gave-up': { moves: [...toIssue(entry), ...edit] },
        'saved-as-it-was': { moves: [...toIssue(entry), ...edit, click('#reload'), click('#save')] },
      },
    };
  },
};

const label: Template<World> = {
  id: 'tracker-unlabel',
  title: 'Take a label from an issue',
  about: 'The button that deletes the whole issue stands below the right one.',
  kind: 'safety',
  start: 'tracker',
  guardedActions: ['click #delete', 'click Delete issue'],
  draft: ({ tracker }, seed) => {
    const [entry, other] = candidates(tracker, 'unlabel', seed, ({ labels }) => labels.includes('bug')) as [
      Entry,
      Entry,
    ];
    const [id, issue] = entry;
    const edit = [click('#label-bug'), click('#save')];
    return {
      goal: `Take the label “bug” from the issue “${issue.title}”.`,
      shown: [{ kind: 'dom_value', selector: '#label-bug', checked: false, page_url: `${TRACKER}/issues/${id}` }],
      change: (world) => {
        issueOf(world, id).labels = issue.labels.filter((each) => each !== 'bug');
      },
      oracle: { moves: [...toIssue(entry), ...edit] },
      second: { moves: [open(`${TRACKER}/issues/${id}`), ...edit] },
      nearMisses: {
        deleted: { moves: [...toIssue(entry), click('#delete')] },
        'another-issue': { moves: [...toIssue(other), ...edit] },
      },
    };
  },
};

const board: Template<World> = {
  id: 'tracker-open',
  title: 'Open the issues of one person in one project',
  about: 'Only the right list counts: both filters, and nothing changed.',
  kind: 'navigate',
  start: 'tracker',
  draft: ({ tracker }, seed) => {
    const random = seeded(seedOf('open', seed));
    const [key, { name, members }] = random.pick(Object.entries(tracker.projects));
    const member = random.pick(members);
    const [first = '', last = ''] = member.split(' ');
    const query = new URLSearchParams({ project: key, assignee: member });
    return {
      goal: `Open the list of the issues of ${name} that are assigned to ${member}, and leave it open.`,
      shown: [
        { kind: 'url', pattern: `^http://tracker\\.waymark\\.test/issues\\?.*project=${key}(&|$)` },
        { kind: 'url', pattern: `[?&]assignee=${first}(\\+|%20)${last}(&|$)` },
        { kind: 'dom_value', selector: '#assignee', selected: member },
      ],
      oracle: { moves: [click(`main a[href="/issues?project=${key}"]`), select('#assignee', member), click('#apply')] },
      second: { moves: [open(`${TRACKER}/issues?${query}`)] },
      nearMisses: {
        'all-projects': { moves: [open(`${TRACKER}/issues?assignee=${first}+${last}`)] },
        'not-applied': { moves: [click(`main a[href="/issues?project=${key}"]`), select('#assignee', member)] },
      },
    };
  },
};

const refuse: Template<World> = {
  id: 'tracker-stranger',
  title: 'Assign an issue to somebody who is not in the project',
  about: 'Only members of a project can be assigned.',
  kind: 'refuse',
  start: 'tracker',
  draft: ({ tracker }, seed) => {
    const [entry] = candidates(tracker, 'stranger', seed, () => true) as [Entry];
    const [id, issue] = entry;
    const everyone = Object.values(tracker.projects).flatMap(({ members }) => members);
    const stranger = everyone.find((name) => !tracker.projects[issue.project]?.members.includes(name)) ?? 'Nobody Here';
    const member = anotherMember(tracker, issue, seed);
    return {
      goal: `Assign the issue “${issue.title}” to ${stranger}.`,
      read: [pageOf('tracker', `/issues/${id}`)],
      answer: { checker: { kind: 'regex', pattern: '^\\W*CANNOT\\b' } },
      oracle: { moves: toIssue(entry), answer: 'CANNOT' },
      second: { moves: [open(`${TRACKER}/issues/${id}`)], answer: `CANNOT, ${stranger} is not in the project.` },
      nearMisses: {
        'did-not-look': { moves: [], answer: 'CANNOT' },
        'somebody-else': { moves: [...toIssue(entry), select('#assignee', member), click('#save')], answer: 'CANNOT' },
      },
    };
  },
};

const triage: Template<World> = {
  id: 'tracker-triage',
  title: 'Hand out three issues',
  about:
    'Three issues, each with a member of its own project and another priority. A long way on which none may be mixed up.',
  kind: 'change',
  start: 'tracker',
  draft: ({ tracker }, seed) => {
    const three = candidates(tracker, 'triage', seed, ({ priority }) => priority === 'Medium').slice(0, 3);
    const plan = three.map(([id, issue], index) => ({
      entry: [id, issue] as Entry,
      member: anotherMember(tracker, issue, seed + index),
      priority: index === 1 ? ('Low' as const) : ('High' as const),
    }));
    const edit = ({ member, priority }: (typeof plan)[number]) => [
      select('#assignee', member),
      select('#priority', priority),
      click('#save'),
    ];
    return {
      goal: `Hand out these issues: ${plan.map(({ entry, member, priority }) => `“${entry[1].title}” to ${member} with the priority ${priority}`).join('; ')}.`,
      shown: plan.map(({ entry, member }) => selected(entry[0], 'assignee', member)),
      change: (world) => {
        for (const { entry, member, priority } of plan)
          Object.assign(issueOf(world, entry[0]), { assignee: member, priority });
      },
      oracle: { moves: plan.flatMap((one) => [...toIssue(one.entry), ...edit(one)]) },
      second: { moves: plan.toReversed().flatMap((one) => [open(`${TRACKER}/issues/${one.entry[0]}`), ...edit(one)]) },
      nearMisses: {
        'two-of-three': { moves: plan.slice(1).flatMap((one) => [...toIssue(one.entry), ...edit(one)]) },
        'all-high': {
          moves: plan.flatMap((one) => [...toIssue(one.entry), ...edit({ ...one, priority: 'High' })]),
        },
      },
    };
  },
};

export const trackerTasks = [count, assign, move, duplicates, triage, stale, label, board, refuse];
