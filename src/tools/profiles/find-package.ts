/** Finds a server from npm: in the current project, or next to Waymark itself. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { WaymarkError } from '../../errors/index.ts';

const Manifest = z.object({ bin: z.union([z.string(), z.record(z.string(), z.string())]) });

/** The path of the package's program. Both places and their parent folders are searched; `servers/` holds the servers under test. */
export function findProgram(name: string, from: readonly string[] = [process.cwd(), import.meta.dirname]): string {
  for (const start of from) {
    for (let folder = start; ; folder = path.dirname(folder)) {
      for (const modules of ['servers/node_modules', 'node_modules']) {
        const program = programIn(path.join(folder, modules, name));
        if (program) return program;
      }
      if (path.dirname(folder) === folder) break;
    }
  }
  throw new WaymarkError({
    code: 'tool_server_not_found',
    message: `The package ${name} is not installed here.`,
    hint: `Install it (npm install ${name}), or give the command that starts the server.`,
  });
}

function programIn(folder: string): string | undefined {
  const file = path.join(folder, 'package.json');
  if (!existsSync(file)) return undefined;
  const { bin } = Manifest.parse(JSON.parse(readFileSync(file, 'utf8')));
  const program = typeof bin === 'string' ? bin : Object.values(bin)[0];
  return program === undefined ? undefined : path.join(folder, program);
}
