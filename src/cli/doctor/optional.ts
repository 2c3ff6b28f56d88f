/** Parts that only some features need. Without them there is a warning, never a problem. */
import path from 'node:path';
import { isExecutable, listFolder } from '../../chromium/index.ts';
import { packageRoot, readVersion } from '../version.ts';
import type { Check } from './check.ts';

const TOOL_SERVERS = ['@playwright/mcp', 'chrome-devtools-mcp'];
const MODEL_KEYS = ['OPENAI_API_KEY', 'ANTHROPIC_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'];

/** Tool servers under test are installed in servers/ or in the working folder. */
export function checkToolServers(cwd: string, root: string = packageRoot): Check {
  const places = [path.join(root, 'servers', 'node_modules'), path.join(cwd, 'node_modules')];
  const servers = TOOL_SERVERS.flatMap((name) => {
    const found = places.map((place) => readVersion(path.join(place, name))).find((version) => version !== undefined);
    return found === undefined ? [] : [{ name, version: found }];
  });
  const row = { id: 'tool_servers', title: 'Tool servers', required: false } as const;
  const details = Object.fromEntries(servers.map(({ name, version }) => [name, version]));
  if (servers.length > 0)
    return {
      ...row,
      status: 'ok',
      found: servers.map(({ name, version }) => `${name} ${version}`).join(', '),
      details,
    };
  return {
    ...row,
    status: 'warning',
    found: 'none installed',
    fix: `To evaluate a tool server, install one: npm install ${TOOL_SERVERS[0]} (in the Waymark repository: npm run bootstrap).`,
    details,
  };
}

/** For a database that several machines share, and for tests. */
export function checkPostgres(env: NodeJS.ProcessEnv, installedUnder = '/usr/lib/postgresql'): Check {
  const row = { id: 'postgresql', title: 'PostgreSQL', required: false } as const;
  const binaries = postgresBinaries(env, installedUnder);
  // Only whether it is set, because the URL may contain a password.
  const url = Boolean(env['DATABASE_URL']);
  const details = { binaries: binaries ?? null, DATABASE_URL: url };
  const found = [
    binaries ? `binaries in ${binaries}` : 'no binaries',
    `DATABASE_URL is ${url ? 'set' : 'not set'}`,
  ].join(', ');
  if (binaries || url) return { ...row, status: 'ok', found, details };
  return {
    ...row,
    status: 'warning',
    found,
    fix: 'Only waymark serve --database and some tests need it: apt-get install postgresql, or set DATABASE_URL to an existing server.',
    details,
  };
}

function postgresBinaries(env: NodeJS.ProcessEnv, installedUnder: string): string | undefined {
  const newestFirst = listFolder(installedUnder).sort((a, b) => Number(b) - Number(a));
  const folders = [
    ...newestFirst.map((version) => path.join(installedUnder, version, 'bin')),
    ...(env['PATH'] ?? '').split(path.delimiter).filter(Boolean),
  ];
  return folders.find((folder) => isExecutable(path.join(folder, process.platform === 'win32' ? 'psql.exe' : 'psql')));
}

/** Which keys of model providers are set. Their values are not used. */
export function checkModelKeys(env: NodeJS.ProcessEnv): Check {
  const row = { id: 'model_keys', title: 'Model keys', required: false } as const;
  const details = Object.fromEntries(MODEL_KEYS.map((name) => [name, Boolean(env[name])]));
  const found = MODEL_KEYS.map((name) => `${name} ${details[name] ? 'set' : 'not set'}`).join(', ');
  if (Object.values(details).some(Boolean)) return { ...row, status: 'ok', found, details };
  return {
    ...row,
    status: 'warning',
    found,
    fix: 'Only agents and judges that call a model need one: set the variable of your provider.',
    details,
  };
}
