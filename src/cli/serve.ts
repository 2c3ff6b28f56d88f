/** `waymark serve`: the API, the web app, the workers and the database in one process. */
import { randomBytes } from 'node:crypto';
import { statfs } from 'node:fs/promises';
import path from 'node:path';
import { openSigningKeys, SIGNING_KEYS_FILE } from '../capture/index.ts';
import { messageOf } from '../errors/index.ts';
import { parseKeyVariables } from '../models/index.ts';
import { databaseSource, failedChecksFolder, RunFolders } from '../runs/index.ts';
import { apiRoutes, routeModules, runFolderRoutes, startedRunRoutes, startServer } from '../server/index.ts';
import { isS3Address, openArtifacts, openStore, Queue } from '../store/index.ts';
import { defineCommand } from './command.ts';
import { inputEnd } from './end-with-input.ts';
import { EXIT } from './exit-code.ts';
import { type ServedFixtures, serveFixtures } from './fixtures.ts';
import { portOf } from './port-flag.ts';
import { allowsRuns, startedRuns } from './started-runs.ts';
import { exitBy, type StopSignal, takeStopSignals } from './stop-signals.ts';
import { type StorePlaces, storeFlags, storePlaces } from './store-flags.ts';
import { packageRoot, version } from './version.ts';

const DEFAULT_PORT = 7520;

export const serve = defineCommand({
  name: 'serve',
  about: [
    'starts the web app and the API in one process, with database, queue and workers.',
    'Data is kept in one folder, or in a PostgreSQL server. Only this machine can reach it unless you set --host.',
    'Stops cleanly on Ctrl-C or SIGTERM: it answers open requests, returns jobs to the queue and closes the database.',
  ].join('\n'),
  flags: {
    ...storeFlags,
    host: {
      type: 'string',
      value: '<address>',
      about: 'the address to listen on; other machines need a token (127.0.0.1)',
    },
    port: { type: 'string', value: '<number>', about: `the port; 0 means any free port (${DEFAULT_PORT})` },
    token: {
      type: 'string',
      value: '<token|random>',
      about: 'require this token from every client; also WAYMARK_TOKEN',
    },
    'allow-host': { type: 'string', value: '<name,…>', about: 'further host names under which the server is reached' },
    'allow-local-providers': { type: 'boolean', about: 'allow calls to models on this machine (loopback)' },
    'allow-provider-hosts': {
      type: 'string',
      value: '<host,…>',
      about: 'hosts of models on a private network that may be called, by name or address',
    },
    'key-variables': {
      type: 'string',
      value: '<name[=origin],…>',
      about:
        'the environment variables that may hold keys of providers, or prefixes that end with *; =<origin> binds a key to an address (default: those of the known vendors, and WAYMARK_KEY_*); also WAYMARK_KEY_VARIABLES',
    },
    'signing-keys': {
      type: 'string',
      value: '<file>',
      about: `the file with the keys that sign packs, shared by all servers of a database (${SIGNING_KEYS_FILE} in the data folder)`,
    },
    runs: {
      type: 'string',
      value: '<folder,…>',
      about: 'show the runs in these folders too, also while they are written (.waymark/runs)',
    },
    'allow-runs': {
      type: 'string',
      value: '<yes|no>',
      about:
        'start runs of tasks from the web app, each as a program on this machine with its keys (default: yes where only this machine reaches the server and there is no token, otherwise no)',
    },
    suites: {
      type: 'string',
      value: '<folder,…>',
      about:
        'folders of tasks, or of such folders, that runs can be started with, beside the suites of Waymark (tasks)',
    },
    variants: {
      type: 'string',
      value: '<folder,…>',
      about: 'folders of variant files that runs can be started with (variants)',
    },
    fixtures: {
      type: 'boolean',
      about: 'also serve chat pages for practice, on the next port; only in a checkout',
    },
    json: { type: 'boolean', about: 'print one JSON object when ready, and nothing else' },
  },
  examples: [
    { line: 'waymark serve', does: 'for this machine, with data in .waymark/data' },
    { line: 'waymark serve --runs runs,../other/runs', does: 'with the runs of two folders' },
    { line: 'waymark serve --fixtures', does: 'with chat pages for practice' },
    { line: 'waymark serve --host 0.0.0.0 --token random', does: 'for your network' },
    {
      line: 'waymark serve --allow-provider-hosts vllm.corp.example',
      does: 'with models on that host of a private network',
    },
    { line: 'waymark serve --database postgres://waymark@db/waymark', does: 'with a PostgreSQL server' },
  ],
  async run(flags, terminal) {
    // The process of `waymark run --ui` must not outlive the run, however that ends.
    const stopped = Promise.race([untilSignal(), inputEnd(terminal.env) ?? new Promise<never>(() => {})]);
    const host = flags.host ?? '127.0.0.1';
    const port = portOf(flags.port, DEFAULT_PORT);
    const token = tokenOf(flags.token ?? terminal.env['WAYMARK_TOKEN']);
    const places = storePlaces(flags, terminal);
    const names = flags['allow-host']?.split(',').map((name) => name.trim()) ?? [];
    const hosts = flags['allow-provider-hosts']?.split(',').map((name) => name.trim());
    const keyAccess = parseKeyVariables(flags['key-variables'] ?? terminal.env['WAYMARK_KEY_VARIABLES']);
    const runs = (flags.runs?.split(',') ?? [path.join('.waymark', 'runs')]).map((name) =>
      path.resolve(terminal.cwd, name.trim()),
    );
    const mayRun = allowsRuns(flags['allow-runs'], { host, token });
    await using started = mayRun ? startedRuns(flags, runs, terminal) : undefined;
    const log = (line: string) => terminal.err(`${line}\n`);
    const keyFile = path.resolve(terminal.cwd, flags['signing-keys'] ?? path.join(places.data, SIGNING_KEYS_FILE));

    await using store = await openStore(places.store);
    const keys = openSigningKeys(keyFile);
    await using queue = await Queue.start(store, { onError: (error) => log(`queue: ${messageOf(error)}`) });
    await using fixtures = flags.fixtures ? await serveFixtures(port === 0 ? 0 : port + 1) : undefined;
    const artifacts = await openArtifacts(places.artifacts);
    // A run that workers execute is shown as one that is in a folder.
    const folders = new RunFolders(runs, (id) => databaseSource({ store, artifacts }, id));
    const server = await startServer({
      store,
      queue,
      artifacts,
      version: version(),
      routeModules: [
        ...routeModules,
        apiRoutes({ keys, fixtures: fixtures?.pages, folders, started, checks: failedChecksFolder(terminal.cwd) }),
        runFolderRoutes(folders),
        startedRunRoutes(folders, started),
      ],
      host,
      port,
      token,
      names,
      webFolder: terminal.env['WAYMARK_WEB_FOLDER'] ?? path.join(packageRoot, 'dist', 'web'),
      allowLocalProviders: flags['allow-local-providers'] ?? false,
      allowProviderHosts: hosts,
      keyAccess,
      spaceLeft: () => spaceLeft(places),
      log,
    });
    const open = token === undefined ? server.url : `${server.url}?token=${token}`;
    const ready = {
      url: server.url,
      open,
      port: server.port,
      pid: process.pid,
      engine: store.engine,
      data: places.data,
      ...(fixtures ? { fixtures: fixtures.urls } : {}),
    };
    terminal.out(
      flags.json
        ? `${JSON.stringify(ready)}\n`
        : `waymark is at ${terminal.paint('bold', open)}\nData: ${store.engine === 'pglite' ? '' : 'PostgreSQL, artifacts in '}${places.data}\n${practiceLine(fixtures)}Press Ctrl-C to stop.\n`,
    );
    const signal = await stopped;
    if (!flags.json) log(`${signal}: finishing open requests, then stopping …`);
    await server.stop();
    return EXIT.ok;
  },
});

/** Of the disk with the least, where data and artifacts are on two. */
async function spaceLeft({ data, artifacts }: StorePlaces): Promise<number> {
  const folders = isS3Address(artifacts) ? [data] : [data, artifacts];
  const disks = await Promise.all(folders.map((folder) => statfs(folder)));
  return Math.min(...disks.map(({ bavail, bsize }) => bavail * bsize));
}

function practiceLine(fixtures: ServedFixtures | undefined): string {
  return fixtures ? `Chat pages for practice: ${fixtures.urls.join(', ')}\n` : '';
}

/** The first signal stops the server; a second one ends the process at once. */
function untilSignal(): Promise<StopSignal> {
  const { promise, resolve } = Promise.withResolvers<StopSignal>();
  let isStopping = false;
  takeStopSignals((signal) => {
    if (isStopping) exitBy(signal);
    isStopping = true;
    resolve(signal);
  });
  return promise;
}

function tokenOf(text: string | undefined): string | undefined {
  return text === 'random' ? randomBytes(24).toString('base64url') : text || undefined;
}
