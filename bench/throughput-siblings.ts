/**
 * Whether a look costs in proportion to the page: at ten times the siblings, ten times as much. Chromium lays a drawn list out again after each
 * change, and whatever is asked of the page waits for that. So the look itself is measured on a list that is not drawn, and on the drawn one
 * beside a bare request, in turns.
 */
import { Browser, type FoundBrowser, Pool, type Slot } from '../src/chromium/index.ts';
import { type BenchRow, median, timed } from './measure.ts';

const SIBLINGS = [10_000, 100_000] as const;
const LOOKS = 5;

interface LookTimes {
  /** Of the list that is not drawn. */
  alone: number[];
  drawn: number[];
  bare: number[];
}

export async function siblingFigures(browser: FoundBrowser): Promise<BenchRow[]> {
  await using pool = new Pool({ slots: 1, start: () => Browser.launch({ browser }) });
  const { slot } = await pool.acquire();
  const [few, many] = [await lookTimes(slot, SIBLINGS[0]), await lookTimes(slot, SIBLINGS[1])];
  await slot.release();
  const rows = (what: string, of: (times: LookTimes) => number[]): BenchRow[] => [
    { name: `${what}, 10,000 siblings`, value: median(of(few)), unit: 'ms' },
    { name: `${what}, 100,000 siblings`, value: median(of(many)), unit: 'ms' },
  ];
  return [
    ...rows('a look after a change, list not drawn', ({ alone }) => alone),
    { name: 'the second to the first (linear is 10)', value: median(many.alone) / median(few.alone), unit: '×' },
    ...rows('a look after a change, list drawn', ({ drawn }) => drawn),
    ...rows('a bare request after the same', ({ bare }) => bare),
  ];
}

async function lookTimes(slot: Slot, siblings: number): Promise<LookTimes> {
  const { session } = slot.firstPage;
  const run = (expression: string) => session.send('Runtime.evaluate', { expression });
  const look = async () => {
    const { state } = await slot.witness.observe();
    if (state !== 'ok') throw new Error(`The page was ${state} at ${siblings} siblings.`);
  };
  const times: LookTimes = { alone: [], drawn: [], bare: [] };
  for (const style of ['display: none', '']) {
    await run(`document.body.innerHTML = '<ul style="${style}">' + '<li>x</li>'.repeat(${siblings}) + '</ul>'`);
    // Until the first layout is done, and with it the first look, which hashes everything.
    await run('document.body.offsetHeight');
    await slot.witness.observe();
    for (let round = 0; round < LOOKS; round++) {
      // Every look sees a change, in the middle of the list.
      const change = (what: string) =>
        run(`void (document.querySelectorAll('li')[${siblings / 2}].textContent = '${what} ${round}')`);
      await change('look');
      times[style === '' ? 'drawn' : 'alone'].push(await timed(look));
      if (style !== '') continue;
      await change('bare');
      times.bare.push(await timed(() => run('1')));
      await slot.witness.observe();
    }
  }
  return times;
}
