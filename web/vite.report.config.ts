/** The viewer as one script and one style sheet, which `waymark report` puts into report.html. */
import path from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { jsxRuntime } from './jsx-runtime-alias.ts';

export default defineConfig({
  root: import.meta.dirname,
  logLevel: 'warn',
  publicDir: false,
  plugins: [react({ jsxImportSource: 'waymark' })],
  resolve: { alias: jsxRuntime },
  // A library is built for others to bundle, so Vite would leave this to them; and React would be its development build.
  define: { 'process.env.NODE_ENV': '"production"' },
  build: {
    target: 'es2022',
    emptyOutDir: true,
    cssCodeSplit: false,
    lib: {
      entry: path.join(import.meta.dirname, 'src/report/main.tsx'),
      formats: ['iife'],
      name: 'waymarkReport',
      fileName: () => 'viewer.js',
      cssFileName: 'viewer',
    },
  },
});
