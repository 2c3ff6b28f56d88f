/** `waymark sign`: signs a finished run with a key of the user's. */
import path from 'node:path';
import { WaymarkError } from '../errors/index.ts';
import {
  checkSignable,
  isQuestionRun,
  makeKey,
  readPrivateKey,
  signRun,
  verifyQuestionRun,
  verifyRun,
} from '../runs/local.ts';
import { defineCommand } from './command.ts';
import { EXIT } from './exit-code.ts';
import { runFolder } from './run-operand.ts';
import { version } from './version.ts';

export const signCommand = defineCommand({
  name: 'sign',
  about: [
    'signs a finished run with an Ed25519 key of yours: who has your public key can check with `waymark verify --public-key` that nothing of it was changed since.',
    'Writes manifest.json (the hash of every file) and manifest.sig.json. A run that does not verify is not signed. Grades can be added to a signed run; attempts can’t.',
    'Exit code: 0 signed, 1 the run does not verify, 2 no run or no key, 3 the folder can’t be written.',
  ].join('\n'),
  operands: { label: '<run>', about: 'the folder of a run that has ended' },
  flags: {
    key: { type: 'string', value: '<file>', about: 'the private key: Ed25519, PEM, without a passphrase' },
    'new-key': { type: 'string', value: '<file>', about: 'make a key: <file> and <file>.pub; signs nothing' },
    json: { type: 'boolean', about: 'print one JSON object and nothing else' },
  },
  examples: [
    { line: 'waymark sign --new-key waymark-key.pem', does: 'make a key; keep the file to yourself' },
    { line: 'waymark sign .waymark/runs/<run-id> --key waymark-key.pem', does: 'sign this run' },
  ],
  async run(flags, terminal, operands) {
    const newKey = flags['new-key'];
    if (newKey !== undefined) {
      if (operands.length > 0 || flags.key !== undefined) throw usage('--new-key makes a key and signs nothing.');
      const made = makeKey(path.resolve(terminal.cwd, newKey));
      terminal.out(
        flags.json
          ? `${JSON.stringify(made)}\n`
          : `private key: ${made.privateKey} (keep it to yourself)\npublic key:  ${made.publicKey}\nkey id:      ${made.keyId}\n`,
      );
      return EXIT.ok;
    }
    const root = runFolder('sign', operands, terminal);
    if (flags.key === undefined) throw usage('Give the key to sign with.');
    const key = readPrivateKey(path.resolve(terminal.cwd, flags.key));
    checkSignable(root);
    const { ok } = isQuestionRun(root) ? await verifyQuestionRun(root) : await verifyRun(root, { version: version() });
    if (!ok) {
      const message = `The run ${root} is not as recorded, and was not signed.`;
      if (flags.json) terminal.out(`${JSON.stringify({ ok, message })}\n`);
      else terminal.out(`${message}\nwaymark verify ${root} says what differs.\n`);
      return EXIT.checkFailed;
    }
    const signed = signRun(root, key);
    if (flags.json) terminal.out(`${JSON.stringify({ ok, ...signed, folder: root }, null, 2)}\n`);
    else terminal.out(`${signed.files} files signed by the key ${signed.keyId}, ${signed.signedAt}\n`);
    return EXIT.ok;
  },
});

function usage(message: string): WaymarkError {
  return new WaymarkError({
    code: 'usage',
    message,
    hint: 'For example: waymark sign .waymark/runs/<run-id> --key waymark-key.pem',
  });
}
