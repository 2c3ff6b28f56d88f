/** (b) The same under @playwright/test, with trace and screenshots. Started by bench/throughput.ts. */
import { test } from '@playwright/test';
import { formEpisode } from '../throughput-playwright.ts';

for (let i = 0; i < Number(process.env['EPISODES']); i++) {
  test(`form ${i}`, async ({ page }) => {
    await formEpisode(page, process.env['ORIGIN'] ?? '');
  });
}
