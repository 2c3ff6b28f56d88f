/** How long an episode waits for its place. */
import { Browser, type FoundBrowser, Pool } from '../src/chromium/index.ts';
import { type BenchRow, median, timed } from './measure.ts';

export async function benchSlots(browser: FoundBrowser, rounds: number): Promise<BenchRow[]> {
  const start = (): Promise<Browser> => Browser.launch({ browser });

  const coldProcess: number[] = [];
  for (let i = 0; i < Math.min(rounds, 7); i++) {
    const pool = new Pool({ slots: 1, start });
    coldProcess.push(await timed(() => pool.acquire()));
    await pool.close();
  }

  await using pool = new Pool({ slots: 1, start });
  await pool.warm(1);
  const { root } = pool.browsers[0]?.connection ?? {};
  const bare: number[] = [];
  const coldContext: number[] = [];
  const warm: number[] = [];
  const release: number[] = [];
  for (let i = 0; i < rounds; i++) {
    // The bare browser: a context and a page, nothing watched or proven. (Attached to and held by us, so it is let run at once.)
    bare.push(
      await timed(async () => {
        const { browserContextId } = (await root?.send('Target.createBrowserContext', {})) ?? { browserContextId: '' };
        await root?.send('Target.createTarget', { url: 'about:blank', browserContextId });
        void root?.send('Target.disposeBrowserContext', { browserContextId });
      }),
    );
    await pool.settled();
    const acquired = await pool.acquire();
    release.push(await timed(() => acquired.slot.release()));
    await pool.settled();
    // Warm: the spare was made while the last one was in use.
    let slot: Awaited<ReturnType<Pool['acquire']>> | undefined;
    warm.push(
      await timed(async () => {
        slot = await pool.acquire();
      }),
    );
    await slot?.slot.release();
    await pool.drainSpares();
    // Cold: nothing prepared.
    coldContext.push(
      await timed(async () => {
        slot = await pool.acquire();
      }),
    );
    await slot?.slot.release();
  }
  return [
    { name: 'cold: browser process, hub, keeper, context, page, proof', value: median(coldProcess), unit: 'ms' },
    { name: 'cold: context, page, witness, proof', value: median(coldContext), unit: 'ms' },
    { name: 'bare browser: context and page', value: median(bare), unit: 'ms' },
    { name: 'warm: acquire with the proof', value: median(warm), unit: 'ms', goal: 5 },
    { name: 'release', value: median(release), unit: 'ms' },
  ];
}
