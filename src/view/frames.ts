/** The pictures of an attempt in the order in which they were taken. */
import type { StepView } from './episode-view.ts';

export interface Frame {
  /** Relative to the attempt's folder. */
  file: string;
  /** What it shows: `start`, step numbers, `end`. */
  moments: string[];
  /** The event numbers of the steps that it shows; none for the end. */
  seqs: number[];
}

/** A picture that stays the same over several steps is one frame. */
export function framesOf(steps: readonly StepView[], finalPicture: string | undefined): Frame[] {
  const frames: Frame[] = [];
  const add = (file: string | undefined, moment: string, seq?: number): void => {
    if (file === undefined) return;
    let frame = frames.at(-1);
    if (frame?.file !== file) {
      frame = { file, moments: [], seqs: [] };
      frames.push(frame);
    }
    frame.moments.push(moment);
    if (seq !== undefined) frame.seqs.push(seq);
  };
  for (const { picture, step, seq } of steps) add(picture, step === 0 ? 'start' : String(step), seq);
  add(finalPicture, 'end');
  return frames;
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
