/** The value of `--port`. */
import { WaymarkError } from '../errors/index.ts';

export function portOf(text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new WaymarkError({
    code: 'usage_port',
    message: `"${text}" is not a port.`,
    hint: 'Give a number from 0 to 65535; 0 means any free port.',
  });
}
