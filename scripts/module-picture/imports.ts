/** Which module imports which, as dependency-cruiser reads the sources. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';

export interface ModuleImport {
  readonly from: string;
  readonly to: string;
}

interface Cruised {
  readonly modules: readonly {
    readonly source: string;
    readonly dependencies: readonly { readonly resolved: string; readonly dependencyTypes: readonly string[] }[];
  }[];
}

/** `web` and `page` know types of any module; only the code that they run counts as an import of theirs. */
export function moduleImports(root: string): ModuleImport[] {
  const cruiser = path.join(root, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs');
  const args = [cruiser, 'src', 'web/src', 'page', '--config', '--exclude', '\\.test\\.ts$', '--output-type', 'json'];
  const { stdout } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28 });
  const { modules } = JSON.parse(stdout) as Cruised;
  const found = new Map<string, ModuleImport>();
  for (const { source, dependencies } of modules) {
    const from = moduleOf(source);
    for (const { resolved, dependencyTypes } of dependencies) {
      const to = moduleOf(resolved);
      if (from === undefined || to === undefined || from === to) continue;
      if (!source.startsWith('src/') && dependencyTypes.includes('type-only')) continue;
      found.set(`${from} ${to}`, { from, to });
    }
  }
  return [...found.keys()].sort().flatMap((key) => found.get(key) ?? []);
}

function moduleOf(file: string): string | undefined {
  return /^src\/([^/]+)\//.exec(file)?.[1] ?? /^(web|page)\//.exec(file)?.[1];
}

/** Leaves out what a longer way says already: with a → b → c, a → c adds nothing to a picture. */
export function withoutShortcuts(imports: readonly ModuleImport[]): ModuleImport[] {
  const below = Map.groupBy(imports, ({ from }) => from);
  const reaches = (from: string, to: string): boolean =>
    (below.get(from) ?? []).some((next) => next.to === to || reaches(next.to, to));
  return imports.filter(
    ({ from, to }) => !(below.get(from) ?? []).some((next) => next.to !== to && reaches(next.to, to)),
  );
}
