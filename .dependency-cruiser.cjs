// The direction of imports, as rules. A room may import only the rooms on the floors below it, through their index.ts.
// Add a room: put it on its floor here, and say in CONTRIBUTING.md what it is for.
const floors = [
  ['errors'],
  ['contracts', 'reward', 'metrics'],
  ['journal'],
  ['chromium', 'tools'],
  ['episode'],
  ['store', 'graders', 'agents'],
  ['runs', 'browser-harness'],
  ['server'],
  ['cli'],
];
const PURE = '^src/(contracts|reward|metrics)/';
const rooms = floors.flat();
const floorOf = (room) => floors.findIndex((floor) => floor.includes(room));

/** A room may not import rooms on its own floor or above. */
const direction = rooms.map((room) => {
  const forbidden = rooms.filter((other) => other !== room && floorOf(other) >= floorOf(room));
  // tools/ attaches servers to a slot of chromium/: the one import inside a floor.
  const notAllowed = room === 'tools' ? forbidden.filter((other) => other !== 'chromium') : forbidden;
  return {
    name: `direction-of-${room}`,
    severity: 'error',
    comment: `${room}/ may import only the floors below it`,
    from: { path: `^src/${room}/` },
    to: { path: `^src/(${notAllowed.join('|') || 'none'})/` },
  };
});

const doors = rooms.map((room) => ({
  name: `door-of-${room}`,
  severity: 'error',
  comment: `${room}/ is entered by its index.ts`,
  from: { path: '^src/', pathNot: `^src/${room}/` },
  to: { path: `^src/${room}/`, pathNot: `^src/${room}/index\\.ts$` },
}));

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'known-rooms-only',
      severity: 'error',
      comment: 'a folder of src/ that has no floor in .dependency-cruiser.cjs',
      from: { path: '^src/', pathNot: `^src/(${rooms.join('|')})/` },
      to: {},
    },
    {
      name: 'pure-rooms-do-no-io',
      severity: 'error',
      comment: 'contracts/, reward/ and metrics/ decide; they import no node built-in',
      from: { path: PURE, pathNot: '\\.test\\.ts$' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'pure-rooms-use-few-libraries',
      severity: 'error',
      comment: 'a pure room may use only the libraries named here',
      from: { path: PURE, pathNot: '\\.test\\.ts$' },
      to: { path: 'node_modules/', pathNot: 'node_modules/(zod|re2js|canonicalize|@noble/hashes|gpt-tokenizer)/' },
    },
    {
      name: 'sources-know-no-tests',
      severity: 'error',
      from: { path: '^src/', pathNot: '\\.test\\.ts$' },
      to: { path: '^(test|bench|scripts|fixtures)/' },
    },
    {
      name: 'sources-run-on-runtime-dependencies',
      severity: 'error',
      comment: 'the published package has no devDependencies: only their types may be used in src/',
      from: { path: '^src/', pathNot: '\\.test\\.ts$' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'dependencies-are-declared',
      severity: 'error',
      comment: 'a package that only happens to be in node_modules; add it to package.json and docs/dependencies.md',
      from: {},
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'web-takes-only-types-from-src',
      severity: 'error',
      comment: 'the web app runs in a browser: of src/ it may know the types, never the code',
      from: { path: '^web/' },
      to: { path: '^src/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'web-takes-data-from-page',
      severity: 'error',
      comment:
        'of the in-page script, the web app may use what is pure; the script itself comes as text (page/vite-plugin.ts)',
      from: { path: '^web/src/' },
      to: { path: '^page/', pathNot: '^page/(assemble|embed|pack|presets|selectors)\\.ts$' },
    },
    {
      name: 'web-stands-alone',
      severity: 'error',
      comment: 'nothing of the server is made of the web app: it is served as files',
      from: { path: '^src/' },
      to: { path: '^web/' },
    },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true, pathNot: '^virtual:' } },
    ...direction,
    ...doors,
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    exclude: { path: '^(dist|servers)/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'types', 'default'],
      // devtools-protocol is nothing but types.
      mainFields: ['module', 'main', 'types'],
    },
  },
};
