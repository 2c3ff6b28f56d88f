/** `waymark pack`: a signed, prompt-only pack of a dataset, and the script that takes it to the chat page. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { PRESET_NAMES, type PresetName, presets, runtimePack } from '../capture/formats.ts';
import { WaymarkError } from '../errors/index.ts';
import { defineCommand } from './command.ts';
import { EXIT } from './exit-code.ts';
import { harnessFlags, openHarnessApi } from './harness-api.ts';
import { scriptChoice, writeScripts } from './pack-script.ts';

export const packCommand = defineCommand({
  name: 'pack',
  about: [
    'makes a signed pack of prompts for a chat page, and the script that runs it there. Neither holds answers or checkers.',
    'What the script downloads on the page is for: waymark import-capture.',
  ].join('\n'),
  operands: { label: '<dataset id>', about: 'see: waymark datasets list' },
  flags: {
    ...harnessFlags,
    target: { type: 'string', value: '<chatgpt|gemini|custom>', about: 'which page (chatgpt)' },
    origin: { type: 'string', value: '<https://…>', about: "the page's origin; needed for custom" },
    sections: { type: 'string', value: '<name,…>', about: 'only these sections' },
    'max-items': { type: 'string', value: '<number>', about: 'no more than so many items' },
    judge: { type: 'string', value: '<provider id>', about: 'the API provider that judges what no checker can' },
    'judge-model': { type: 'string', value: '<model>', about: "the judge's model" },
    selectors: {
      type: 'string',
      value: '<file>',
      about: "the page's parts, as JSON: CSS lists by role; needed for custom",
    },
    'quiet-ms': { type: 'string', value: '<number>', about: 'how long an answer must not change to be whole (2000)' },
    out: { type: 'string', value: '<file>', about: 'where to write the pack (pack.json)' },
    script: { type: 'string', value: '<file>', about: 'write a script for the console of the page' },
    bookmarklet: {
      type: 'string',
      value: '<file>',
      about: 'write the address of a bookmark; with the pack in a file beside it when it is too large for one',
    },
  },
  renamed: { server: 'api' },
  examples: [
    { line: 'waymark pack 6b0c… --target gemini --bookmarklet gemini.txt', does: 'all items of a dataset, for Gemini' },
    {
      line: 'waymark pack 6b0c… --target custom --origin https://chat.example.com --selectors page.json --script run.js',
      does: 'for a page of your own',
    },
  ],
  async run(flags, terminal, operands) {
    const [dataset_id] = operands;
    if (dataset_id === undefined || operands.length > 1) throw usage('Give the id of one dataset.');
    const preset = presetOf(flags.target ?? 'chatgpt');
    const known = presets[preset];
    const { selectors, settings } = scriptChoice(flags, preset, terminal);
    const origin = flags.origin ?? known.origin;
    if (!origin) throw usage(`The target ${preset} needs --origin.`);
    if (!URL.canParse(origin)) throw usage(`"${origin}" is not an origin, such as https://chat.example.com.`);
    const display_name = known.origin === null ? new URL(origin).host : known.display_name;
    const target = { preset, origin, display_name };
    const judge = flags.judge ? { provider_id: flags.judge, model: flags['judge-model'] ?? '', prompt: '' } : undefined;
    const request = {
      dataset_id,
      target,
      ...(flags.sections ? { sections: flags.sections.split(',') } : {}),
      ...(flags['max-items'] ? { max_items: Number(flags['max-items']) } : {}),
      ...(judge ? { judge } : {}),
    };
    await using api = await openHarnessApi(flags, terminal);
    const pack = await api.call('post', '/browser-harness/packs', { json: request });
    const file = path.resolve(terminal.cwd, flags.out ?? 'pack.json');
    writeFileSync(file, `${JSON.stringify(pack, null, 2)}\n`);
    const forPage = runtimePack(pack, { preset: known, target, judge, selectors, settings });
    const { files, lines } = await writeScripts(flags, forPage, terminal);
    if (flags.json) {
      terminal.out(`${JSON.stringify({ file, ...files, pack_id: pack.pack_id, expires_at: pack.expires_at })}\n`);
    } else {
      terminal.out(`${pack.items.length} prompts written to ${file}, good until ${pack.expires_at}\n`);
      for (const line of lines) terminal.out(`${line}\n`);
      for (const { message } of pack.warnings) terminal.out(`${terminal.paint('yellow', 'warning')}: ${message}\n`);
    }
    return EXIT.ok;
  },
});

function presetOf(name: string): PresetName {
  const preset = PRESET_NAMES.find((one) => one === name);
  if (!preset) throw usage(`There is no target ${name}: choose chatgpt, gemini or custom.`);
  return preset;
}

function usage(message: string): WaymarkError {
  return new WaymarkError({ code: 'usage_pack', message, hint: 'See: waymark pack --help' });
}
