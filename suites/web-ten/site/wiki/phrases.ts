/** What articles say beside their facts. */
import type { Phrases } from '../prose.ts';

export const LANDSCAPE: Phrases = {
  sentences: [
    'In spring the meadows are under water for # days or more.',
    'A path of # stages follows the old towing road.',
    'The valley was a border for # years, and the toll house still stands.',
    'Herons have bred here again since the mill was closed # years ago.',
    'A flood carried away # houses in one night.',
    'Timber was floated down to the saw mills until the railway came.',
    'The fishing rights belong to # families.',
    'An inscription on the old bridge counts # arches, of which the half are left.',
    'Painters came in summer and paid their landlords with pictures.',
    'The water is soft, which drew # dye works to its banks.',
  ],
};

export const TOWN_LIFE: Phrases = {
  sentences: [
    'The market is held on # days of the month.',
    'Its brewery burnt down and was rebuilt # times.',
    'A tram with # stops ran through the high street until the war.',
    'The town wall has # towers, the thickest of which was a prison.',
    'In the mild air of the south gate, figs ripen.',
    'The bell of the town hall weighs # hundredweight.',
    'A quarter of the # guild houses is still in use.',
    'The school of navigation moved here and stayed for # years.',
    'The theatre seats fewer people than it has seats, as the saying goes.',
  ],
};

export const LIVES: Phrases = {
  sentences: [
    'The letters fill # boxes and have been read by few.',
    'A journey of # weeks to the coast changed everything.',
    'The house burnt down with all notebooks but #.',
    'Of # pupils, two became well known.',
    'The garden behind the house can be visited in June.',
    'Late honours came, and were declined # times.',
    'There is a portrait with a dog, and # copies of it.',
  ],
};
