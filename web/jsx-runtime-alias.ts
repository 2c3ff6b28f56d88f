/** Where `jsxImportSource: 'waymark'` leads: React's JSX that shows marks of direction (src/jsx-runtime.ts). */
import path from 'node:path';

export const jsxRuntime = [
  { find: /^waymark\/jsx-(dev-)?runtime$/, replacement: path.join(import.meta.dirname, 'src/jsx-runtime.ts') },
];
