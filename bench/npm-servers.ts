/** The further servers of `bench:servers`: one configuration for each in bench/npm-servers/, and a package folder that only the bench installs. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { ServerChoice } from '../src/tools/index.ts';

const FOLDER = path.join(import.meta.dirname, 'npm-servers');
/** The first one with the package counts; some packages are tried by tests as well. */
const PLACES = [path.join(FOLDER, 'node_modules'), path.join(import.meta.dirname, '..', 'servers', 'node_modules')];

const Manifest = z.object({ version: z.string(), bin: z.union([z.string(), z.record(z.string(), z.string())]) });

export interface NpmServer {
  name: string;
  /** Of the package; a server may tell another one of itself. */
  version: string;
  choice: ServerChoice;
}

/** Those with these names, or all. Only what is asked for must be installed. */
export function npmServers(only?: readonly string[]): NpmServer[] {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.server.json'));
  const wanted = files.sort().flatMap((file) => {
    const choice = choiceIn(path.join(FOLDER, file));
    return only === undefined || only.includes(choice.name ?? choice.package) ? [choice] : [];
  });
  if (wanted.some((choice) => folderOf(choice) === undefined)) install();
  return wanted.map(serverOf);
}

/** Without install scripts: none of them is needed, because the browser is ours. */
function install(): void {
  process.stderr.write('Installing the servers of bench/npm-servers …\n');
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: FOLDER,
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error('npm ci in bench/npm-servers failed; its output is above.');
}

type PackagedChoice = Extract<ServerChoice, { server: 'custom' }> & { package: string };

function choiceIn(file: string): PackagedChoice {
  const given = ServerChoice.parse(JSON.parse(readFileSync(file, 'utf8')));
  if (given.server !== 'custom' || given.package === undefined) throw new Error(`${file} names no package.`);
  return { ...given, package: given.package };
}

function folderOf({ package: name }: PackagedChoice): string | undefined {
  return PLACES.map((place) => path.join(place, name)).find((place) => existsSync(place));
}

function serverOf(choice: PackagedChoice): NpmServer {
  const { package: name, args = [], ...rest } = choice;
  const folder = folderOf(choice);
  if (folder === undefined) throw new Error(`The package ${name} is not installed.`);
  const { version, bin } = Manifest.parse(JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')));
  const program = typeof bin === 'string' ? bin : (Object.values(bin)[0] ?? '');
  const command = [process.execPath, path.join(folder, program), ...args];
  return { name: choice.name ?? name, version, choice: { ...rest, command } };
}
