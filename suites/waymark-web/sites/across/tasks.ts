/** Tasks across sites: what is read on one is done on another. */
import { seeded, seedOf } from '../../../shared/random.ts';
import { click, link, open, pageOf, search, type } from '../../frame/moves.ts';
import type { Template } from '../../frame/template.ts';
import type { World } from '../world.ts';
import { byMailTasks } from './by-mail.ts';
import { at, present } from './common.ts';
import { toMailTasks } from './to-mail.ts';

/** A product's weight becomes a comment on an issue. */
const comment: Template<World> = {
  id: 'across-shop-tracker',
  title: 'Comment an issue with what the shop has',
  about: 'The number is on one site, the issue on another.',
  kind: 'change',
  start: 'shop',
  draft: ({ shop, tracker }, seed) => {
    const one = seeded(seedOf('comment', seed)).pick(Object.values(shop.products));
    const [id, { title }] = seeded(seedOf('comment', seed)).pick(Object.entries(tracker.issues));
    const text = `It weighs ${one.grams} g.`;
    const look = [search(one.name), link(`/products/${one.id}`)];
    const write = (body: string) => [type('#comment', body), click('#add-comment')];
    const toIssue = [open(at('tracker')), search(title), link(`/issues/${id}`)];
    return {
      goal: `Find out how many grams the ${one.name} weighs in the shop, and comment on the issue “${title}” at ${at('tracker')}: It weighs (the number) g.`,
      read: [pageOf('shop', `/products/${one.id}`)],
      shown: [
        {
          kind: 'dom_text',
          selector: '#comments blockquote:last-child .text',
          equals: text,
          page_url: at('tracker', `/issues/${id}`),
        },
      ],
      change: (world) => {
        const issue = present(world.tracker.issues[id]);
        issue.comments = [...issue.comments, { by: tracker.me, text }];
      },
      oracle: { moves: [...look, ...toIssue, ...write(text)] },
      second: {
        moves: [open(at('shop', `/products/${one.id}`)), open(at('tracker', `/issues/${id}`)), ...write(text)],
      },
      nearMisses: {
        'wrong-number': { moves: [...look, ...toIssue, ...write(`It weighs ${one.grams + 10} g.`)] },
        'never-looked': { moves: [...toIssue, ...write(text)] },
      },
    };
  },
};

export const acrossTasks = [...byMailTasks, ...toMailTasks, comment];
