/** `waymark keys`: the secrets that sign packs, without ever showing them. */
import path from 'node:path';
import {
  listSigningKeys,
  openSigningKeys,
  retireSigningKey,
  rotateSigningKey,
  SIGNING_KEYS_FILE,
  type SigningKeyInfo,
} from '../capture/index.ts';
import { WaymarkError } from '../errors/index.ts';
import { defineCommand } from './command.ts';
import { EXIT } from './exit-code.ts';
import { storeFlags, storePlaces } from './store-flags.ts';

export const keysCommand = defineCommand({
  name: 'keys',
  about: [
    'the keys that sign packs. The newest signs; older ones verify the packs that they signed, until those have expired.',
    'A server that runs takes up a change by itself. Several servers of one database share one file of keys.',
  ].join('\n'),
  operands: {
    label: 'list | rotate | retire <kid>',
    about: 'rotate: a new key signs from now on. retire: packs that this key signed are refused from now on',
  },
  flags: {
    data: storeFlags.data,
    'signing-keys': { type: 'string', value: '<file>', about: `the file (${SIGNING_KEYS_FILE} in the data folder)` },
    json: { type: 'boolean', about: 'print one JSON object and nothing else' },
  },
  examples: [
    { line: 'waymark keys list', does: 'which keys there are, and until when each is needed' },
    { line: 'waymark keys rotate', does: 'sign with a new key; packs that are out stay good' },
    { line: 'waymark keys retire 9f2c4e1ab03d', does: 'a key got into wrong hands: refuse what it signed' },
  ],
  async run(flags, terminal, [what, ...rest]) {
    const file = path.resolve(
      terminal.cwd,
      flags['signing-keys'] ?? path.join(storePlaces(flags, terminal).data, SIGNING_KEYS_FILE),
    );
    const act = what === undefined ? undefined : actions.get(what);
    if (!act || rest.length !== (what === 'retire' ? 1 : 0)) {
      throw new WaymarkError({
        code: 'usage_keys',
        message: act ? `waymark keys ${what} takes ${what === 'retire' ? 'one kid' : 'nothing more'}.` : UNKNOWN,
        hint: 'See: waymark keys --help',
      });
    }
    const keys = act(file, rest[0] ?? '');
    terminal.out(flags.json ? `${JSON.stringify({ file, keys })}\n` : keys.map(lineOf).join(''));
    return EXIT.ok;
  },
});

const UNKNOWN = 'Say what to do with keys: list, rotate or retire <kid>.';

const actions = new Map<string, (file: string, kid: string) => SigningKeyInfo[]>([
  ['list', (file) => listSigningKeys(file)],
  [
    'rotate',
    (file) => {
      // Before the first start of a server there is no file yet.
      openSigningKeys(file);
      return rotateSigningKey(file);
    },
  ],
  ['retire', (file, kid) => retireSigningKey(file, kid)],
]);

function lineOf({ kid, created_at, needed_until }: SigningKeyInfo): string {
  const does =
    needed_until === null ? 'signs new packs' : `verifies packs, the last of which expires by ${needed_until}`;
  return `${kid}  made ${created_at}  ${does}\n`;
}
