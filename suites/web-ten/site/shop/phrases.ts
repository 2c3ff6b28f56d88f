/** What the shop and its customers say of products. */
import type { Phrases } from '../prose.ts';

export const PRAISE: Phrases = {
  sentences: [
    'Tried for # nights between the coast and the moor.',
    'The seams were sewn twice, and one in # is opened again to look at it.',
    'Repairs are free for # months.',
    'It packs as small as a loaf of bread.',
    'Made in a workshop with # people.',
    'The zip runs with one hand, in gloves.',
    'It forgives a wet autumn.',
    'Half of the fabric was something else before.',
  ],
};

export const REVIEWS: Phrases = {
  sentences: [
    'Held for # trips, and the dog likes it.',
    'A little heavier than I thought.',
    'Came after # days, in more paper than needed.',
    'My sister has the other colour, and that one is nicer.',
    'Would buy it again, but one size larger.',
    'The manual has # pages. I read one.',
    'Good in the rain, too warm in the sun.',
    'The buckle broke after # weeks and was replaced.',
  ],
};
