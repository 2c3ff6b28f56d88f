/** Whether a look costs in proportion to the page: at ten times the siblings, ten times as much. */
import { Browser, type FoundBrowser, Pool } from '../src/chromium/index.ts';
import { type BenchRow, median, timed } from './measure.ts';

const SIBLINGS = [10_000, 100_000] as const;
const LOOKS = 5;

export async function siblingFigures(browser: FoundBrowser): Promise<BenchRow[]> {
  await using pool = new Pool({ slots: 1, start: () => Browser.launch({ browser }) });
  const { slot } = await pool.acquire();
  const times: number[] = [];
  for (const siblings of SIBLINGS) {
    const expression = `document.body.innerHTML = '<ul>' + '<li>x</li>'.repeat(${siblings}) + '</ul>'`;
    await slot.firstPage.session.send('Runtime.evaluate', { expression });
    const looks: number[] = [];
    for (let look = 0; look < LOOKS; look++) {
      // Every look sees a change, in the middle of the list.
      const change = `void (document.querySelectorAll('li')[${siblings / 2}].textContent = 'look ${look}')`;
      await slot.firstPage.session.send('Runtime.evaluate', { expression: change });
      looks.push(
        await timed(async () => {
          const { state } = await slot.witness.observe();
          if (state !== 'ok') throw new Error(`The page was ${state} at ${siblings} siblings.`);
        }),
      );
    }
    times.push(median(looks));
  }
  await slot.release();
  const [few = Number.NaN, many = Number.NaN] = times;
  return [
    { name: 'a look at 10,000 siblings after a change', value: few, unit: 'ms' },
    { name: 'a look at 100,000 siblings after a change', value: many, unit: 'ms' },
    { name: 'the second to the first (linear is 10)', value: many / few, unit: '×' },
  ];
}
