/** The pictures of an episode, each distinct one once, with the steps that it shows. Opening one enlarges it where it stands. */
import type { EpisodeView } from '../../view/index.ts';
import { type Html, html } from './html.ts';
import type { GrantedPictures } from './pictures.ts';

export interface Frame {
  file: string;
  /** What it shows: `start`, step numbers, `end`. */
  moments: string[];
}

export function framesOf({ steps, finalPicture }: EpisodeView): Frame[] {
  const frames = new Map<string, string[]>();
  const add = (file: string | undefined, moment: string): void => {
    if (file !== undefined) frames.set(file, [...(frames.get(file) ?? []), moment]);
  };
  for (const { picture, step } of steps) add(picture, step === 0 ? 'start' : String(step));
  add(finalPicture, 'end');
  return [...frames].map(([file, moments]) => ({ file, moments }));
}

export function filmstrip(frames: readonly Frame[], { uris, leftOut }: GrantedPictures): Html {
  const shown = frames.filter(({ file }) => uris.has(file));
  const note =
    leftOut > 0 &&
    html`<p class="faint">${leftOut} of ${frames.length} pictures are left out to keep this file small; they are in the episode’s folder.</p>`;
  if (shown.length === 0) return html`${note || html`<p class="faint">No pictures.</p>`}`;
  return html`<div class="film" role="group" aria-label="Screenshots">${shown.map(({ file, moments }) => {
    const caption = captionOf(moments);
    return html`<details class="frame"><summary><img loading="lazy" decoding="async" alt="Screenshot: ${caption}" src="${uris.get(file)}"><span>${caption}</span></summary></details>`;
  })}</div>${note}`;
}

/** @example captionOf(['start', '1', '2', '3', '7', 'end']) // => 'start, steps 1–3, 7, end' */
export function captionOf(moments: readonly string[]): string {
  const numbers = moments.map(Number).filter((step) => !Number.isNaN(step));
  const ranges: [from: number, to: number][] = [];
  for (const step of numbers) {
    const last = ranges.at(-1);
    if (last && step === last[1] + 1) last[1] = step;
    else ranges.push([step, step]);
  }
  const steps = ranges.map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`)).join(', ');
  return [
    moments.includes('start') && 'start',
    steps !== '' && `step${numbers.length === 1 ? '' : 's'} ${steps}`,
    moments.includes('end') && 'end',
  ]
    .filter((part) => part !== false)
    .join(', ');
}
