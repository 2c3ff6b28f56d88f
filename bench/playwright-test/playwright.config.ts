import { defineConfig } from '@playwright/test';

export default defineConfig({
  testDir: '.',
  fullyParallel: true,
  workers: Number(process.env['WORKERS']),
  reporter: [['json', { outputFile: process.env['REPORT'] ?? '' }]],
  outputDir: process.env['OUTPUT'] ?? '',
  use: {
    trace: 'on',
    screenshot: 'on',
    viewport: { width: 1280, height: 720 },
    launchOptions: {
      executablePath: process.env['BROWSER'] ?? '',
      args: ['--no-sandbox', `--host-resolver-rules=${process.env['RULES']}`],
    },
  },
});
