import { defineConfig } from 'vitest/config';

// Two projects: unit tests beside the sources, and whole flows in test/ (real Chromium, real servers).
// Whole flows share two cores with their browsers, so few files run at once.
export default defineConfig({
  test: {
    reporters: ['default'],
    projects: [
      {
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts', 'scripts/**/*.test.ts', 'fixtures/**/*.test.ts'],
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'flows',
          include: ['test/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 60_000,
          maxWorkers: 2,
        },
      },
    ],
  },
});
