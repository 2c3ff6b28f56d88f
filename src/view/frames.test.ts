import { expect, test } from 'vitest';
import { documentedEvents } from '../../test/journal/documented-events.ts';
import { episodeView } from './episode-view.ts';
import { captionOf, framesOf } from './frames.ts';

test('a picture that stays is one frame with every moment that it shows; one that comes back is another', () => {
  const [one] = episodeView(documentedEvents).steps;
  if (!one) throw new Error('the page has a step');
  const { picture: _, ...step } = one;
  const steps = (['a.jpg', 'a.jpg', undefined, 'b.jpg'] as const).map((picture, index) => ({
    ...step,
    step: index,
    seq: index + 10,
    ...(picture === undefined ? {} : { picture }),
  }));
  expect(framesOf(steps, 'a.jpg')).toEqual([
    { file: 'a.jpg', moments: ['start', '1'], seqs: [10, 11] },
    { file: 'b.jpg', moments: ['3'], seqs: [13] },
    { file: 'a.jpg', moments: ['end'], seqs: [] },
  ]);
});

test.each([
  [['start'], 'start'],
  [['1'], 'step 1'],
  [['start', '1', '2', '3', '7', 'end'], 'start, steps 1–3, 7, end'],
  [['2', '4', '5'], 'steps 2, 4–5'],
  [['end'], 'end'],
])('%j is captioned %s', (moments, caption) => {
  expect(captionOf(moments)).toBe(caption);
});
