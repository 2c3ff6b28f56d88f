/** `waymark pack`: a signed, prompt-only pack of a dataset. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { WaymarkError } from '../errors/index.ts';
import { defineCommand } from './command.ts';
import { EXIT } from './exit-code.ts';
import { harnessFlags, openHarnessApi } from './harness-api.ts';

const packSchema = z.looseObject({
  pack_id: z.string(),
  items: z.array(z.unknown()),
  expires_at: z.string(),
  warnings: z.array(z.object({ message: z.string() })),
});

const ORIGINS = new Map([
  ['chatgpt', 'https://chatgpt.com'],
  ['gemini', 'https://gemini.google.com'],
]);

export const packCommand = defineCommand({
  name: 'pack',
  about: 'makes a signed pack of prompts for a chat page. It holds no answers and no checkers.',
  operands: { label: '<dataset id>', about: 'see: waymark datasets list' },
  flags: {
    ...harnessFlags,
    target: { type: 'string', value: '<chatgpt|gemini|custom>', about: 'which page (chatgpt)' },
    origin: { type: 'string', value: '<https://…>', about: "the page's origin; needed for custom" },
    sections: { type: 'string', value: '<name,…>', about: 'only these sections' },
    'max-items': { type: 'string', value: '<number>', about: 'no more than so many items' },
    judge: { type: 'string', value: '<provider id>', about: 'the API provider that judges what no checker can' },
    'judge-model': { type: 'string', value: '<model>', about: "the judge's model" },
    out: { type: 'string', value: '<file>', about: 'where to write the pack (pack.json)' },
  },
  examples: [
    { line: 'waymark pack 6b0c… --target gemini', does: 'all items of a dataset, for Gemini' },
    { line: 'waymark pack 6b0c… --target custom --origin https://chat.example.com', does: 'for a page of your own' },
  ],
  async run(flags, terminal, operands) {
    const [dataset_id] = operands;
    const preset = flags.target ?? 'chatgpt';
    const origin = flags.origin ?? ORIGINS.get(preset);
    if (dataset_id === undefined || operands.length > 1 || origin === undefined) {
      throw new WaymarkError({
        code: 'usage_pack',
        message: origin === undefined ? `The target ${preset} needs --origin.` : 'Give the id of one dataset.',
        hint: 'See: waymark pack --help',
      });
    }
    const request = {
      dataset_id,
      target: { preset, origin },
      ...(flags.sections ? { sections: flags.sections.split(',') } : {}),
      ...(flags['max-items'] ? { max_items: Number(flags['max-items']) } : {}),
      ...(flags.judge ? { judge: { provider_id: flags.judge, model: flags['judge-model'] ?? '' } } : {}),
    };
    await using api = await openHarnessApi(flags, terminal);
    const body = JSON.stringify(request);
    const pack = await api.request('/browser-harness/packs', packSchema, { method: 'POST', body });
    const file = path.resolve(terminal.cwd, flags.out ?? 'pack.json');
    writeFileSync(file, `${JSON.stringify(pack, null, 2)}\n`);
    if (flags.json) terminal.out(`${JSON.stringify({ file, pack_id: pack.pack_id, expires_at: pack.expires_at })}\n`);
    else {
      terminal.out(`${pack.items.length} prompts written to ${file}, good until ${pack.expires_at}\n`);
      for (const { message } of pack.warnings) terminal.out(`${terminal.paint('yellow', 'warning')}: ${message}\n`);
    }
    return EXIT.ok;
  },
});
