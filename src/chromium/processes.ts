/** What the operating system says about processes, for modules that need no browser. */
export { processFacts } from './launch/process-table.ts';
