import { expect, test } from 'vitest';
import { documentedEvents } from '../../../test/journal/documented-events.ts';
import { type EpisodeView, episodeView } from '../../view/index.ts';
import { captionOf, filmstrip, framesOf } from './filmstrip.ts';

/** The reference's episode, its steps with these pictures. */
function withPictures(
  pictures: readonly (readonly [step: number, picture: string | undefined])[],
  end: string,
): EpisodeView {
  const view = episodeView(documentedEvents);
  const [one] = view.steps;
  if (!one) throw new Error('the page has a step');
  const { picture: _, ...step } = one;
  const steps = pictures.map(([number, picture]) => ({
    ...step,
    step: number,
    ...(picture === undefined ? {} : { picture }),
  }));
  return { ...view, steps, finalPicture: end };
}

test('a picture stands once, with every moment that it shows', () => {
  const view = withPictures(
    [
      [0, 'a.jpg'],
      [1, 'a.jpg'],
      [2, undefined],
      [3, 'b.jpg'],
    ],
    'a.jpg',
  );
  expect(framesOf(view)).toEqual([
    { file: 'a.jpg', moments: ['start', '1', 'end'] },
    { file: 'b.jpg', moments: ['3'] },
  ]);
  const { text } = filmstrip(framesOf(view), { uris: new Map([['a.jpg', 'data:a']]), leftOut: 1 });
  expect(text.match(/<img /g)).toHaveLength(1);
  expect(text).toContain('alt="Screenshot: start, step 1, end" src="data:a"');
  expect(text).toContain('1 of 2 pictures are left out');
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
