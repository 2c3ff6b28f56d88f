import path from 'node:path';
import { defineConfig } from 'vitest/config';

// Two projects: unit tests beside the sources, and whole flows in test/ (real Chromium, real servers).
// Whole flows share two cores with their browsers, so few files run at once; one more than cores, since some wait.
export default defineConfig({
  test: {
    reporters: ['default'],
    projects: [
      {
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts', 'scripts/**/*.test.ts', 'fixtures/**/*.test.ts', 'suites/**/*.test.ts'],
          testTimeout: 30_000,
          // Loading the same modules for every file again took longer than the tests.
          isolate: false,
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: 'flows',
          include: ['test/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 60_000,
          maxWorkers: 3,
          // Commands that tests start load hundreds of modules; with Node's cache that takes about half of the processor time.
          env: { NODE_COMPILE_CACHE: path.join(import.meta.dirname, '.waymark', 'compile-cache') },
          // V8 ends a process now and then in which WebAssembly is compiled and freed often, as by stores that are opened and closed
          // ("Check failed: jit_page.has_value()", nodejs/node#64500); without protection keys it does not keep that list of pages.
          // Compiling the database a second time while it runs costs a quarter of the openings that a process makes in the same time. Since tests did so, a process that
          // also bundles page scripts was ended twice in some 110 runs of its file (SIGSEGV, SIGTRAP); code that is freed while other threads run is the likely cause.
          execArgv: [
            '--no-memory-protection-keys',
            '--no-wasm-tier-up',
            '--no-wasm-dynamic-tiering',
            '--no-wasm-code-gc',
          ],
          // A poll ends when its condition holds, so that a long limit costs nothing; vitest's own is one second, too short for a busy machine.
          expect: { poll: { timeout: 60_000, interval: 25 } },
        },
      },
    ],
  },
});
