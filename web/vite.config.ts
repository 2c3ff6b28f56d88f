/** The web app's bundle. `base` is where the server has it (src/server/web-app.ts). */
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { pageTexts } from '../page/vite-plugin.ts';
import { jsxRuntime } from './jsx-runtime-alias.ts';

export default defineConfig({
  root: import.meta.dirname,
  base: '/app/',
  logLevel: 'warn',
  plugins: [react({ jsxImportSource: 'waymark' }), pageTexts()],
  resolve: { alias: jsxRuntime },
  build: {
    target: 'es2022',
    emptyOutDir: true,
    // The server's policy knows no data: addresses but for pictures.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // What changes with our packages, apart from what changes with our pages.
          groups: [{ name: 'vendor', test: /node_modules/ }],
        },
      },
    },
  },
});
