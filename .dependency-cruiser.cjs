// The direction of imports, as rules. A module imports only modules of the layers below it, through their entry files.
// To add a module: put it into its layer in module-layers.json, and say in CONTRIBUTING.md what it is for.
const modulesFile = require('./module-layers.json');

const layers = modulesFile.layers.map((layer) => Object.keys(layer));
/** Entry files besides index.ts. */
const moreEntries = modulesFile.entries;
const pureNames = modulesFile.pure.join('|');
const PURE = `^src/(${pureNames})/`;
/** What a page may run: pure modules, and parts of others that read no file and know no Node built-in. */
const FOR_BROWSERS = `^src/((${pureNames})/index|${modulesFile.forBrowsers.join('|')})\\.ts$`;
const modules = layers.flat();
const layerOf = (name) => layers.findIndex((layer) => layer.includes(name));

const direction = modules.map((name) => {
  const forbidden = modules.filter((other) => other !== name && layerOf(other) >= layerOf(name));
  return {
    name: `direction-of-${name}`,
    severity: 'error',
    comment: `${name}/ may import only the layers below it`,
    from: { path: `^src/${name}/` },
    to: { path: `^src/(${forbidden.join('|') || 'none'})/` },
  };
});

const entries = modules.map((name) => ({
  name: `entry-of-${name}`,
  severity: 'error',
  comment: `${name}/ is entered by ${['index', ...(moreEntries[name] ?? [])].map((file) => `${file}.ts`).join(' or ')}`,
  from: { path: '^src/', pathNot: `^src/${name}/` },
  to: { path: `^src/${name}/`, pathNot: `^src/${name}/(${['index', ...(moreEntries[name] ?? [])].join('|')})\\.ts$` },
}));

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'known-modules-only',
      severity: 'error',
      comment: 'a folder of src/ that has no layer in .dependency-cruiser.cjs',
      from: { path: '^src/', pathNot: `^src/(index\\.ts$|(${modules.join('|')})/)` },
      to: {},
    },
    {
      name: 'pure-modules-do-no-io',
      severity: 'error',
      comment: 'contracts/, reward/, metrics/, events/ and view/ decide; they import no Node built-in',
      from: { path: PURE, pathNot: '\\.test\\.ts$' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'pure-modules-use-few-libraries',
      severity: 'error',
      comment: 'a pure module may use only the libraries named here',
      from: { path: PURE, pathNot: '\\.test\\.ts$' },
      to: { path: 'node_modules/', pathNot: 'node_modules/(zod|re2js|canonicalize|@noble/hashes|gpt-tokenizer)/' },
    },
    {
      name: 'pure-modules-know-schemas-of-cases',
      severity: 'error',
      comment: 'of cases/, a pure module imports schemas.ts, which reads no file',
      from: { path: PURE, pathNot: '\\.test\\.ts$' },
      to: { path: '^src/cases/', pathNot: '^src/cases/schemas\\.ts$' },
    },
    {
      name: 'sources-know-no-tests',
      severity: 'error',
      from: { path: '^src/', pathNot: '\\.test\\.ts$' },
      to: { path: '^(test|bench|scripts|fixtures|suites)/' },
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
      name: 'web-takes-pure-code-from-src',
      severity: 'error',
      comment: 'the web app runs in a browser: of src/ it may run the pure modules, and know the types of the others',
      from: { path: '^web/' },
      to: {
        path: '^src/',
        pathNot: FOR_BROWSERS,
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'page-takes-pure-code-from-src',
      severity: 'error',
      comment:
        'the in-page script is one file without imports at run time: of src/ only the formats and the pure modules',
      from: { path: '^page/' },
      to: {
        path: '^src/',
        pathNot: FOR_BROWSERS,
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'web-takes-no-code-from-page',
      severity: 'error',
      comment:
        'the in-page script comes into the web app as text (page/vite-plugin.ts); what both know is in src/capture/formats.ts',
      from: { path: '^web/src/' },
      to: { path: '^page/' },
    },
    {
      name: 'what-pages-run-imports-types-only',
      severity: 'error',
      comment:
        'the formats and the API client are bundled for browsers: of libraries and of the rest of src/ they know types only',
      from: { path: '^src/(capture/formats(/|\\.ts$)|server/client\\.ts$)' },
      to: { pathNot: '^src/capture/formats/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'web-stands-alone',
      severity: 'error',
      comment: 'no code of the server is part of the web app: it is served as files',
      from: { path: '^src/' },
      to: { path: '^web/' },
    },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true, pathNot: '^virtual:' } },
    ...direction,
    ...entries,
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
