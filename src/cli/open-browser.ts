/** Shows an address in the user's browser. Where there is no program for it, nothing happens: the address is printed anyway. */
import { spawn } from 'node:child_process';

export function openBrowser(url: string): void {
  const programs: Partial<Record<NodeJS.Platform, string[]>> = {
    darwin: ['open'],
    win32: ['rundll32', 'url.dll,FileProtocolHandler'],
  };
  const [program = 'xdg-open', ...args] = programs[process.platform] ?? [];
  spawn(program, [...args, url], { stdio: 'ignore', detached: true })
    .on('error', () => {})
    .unref();
}
