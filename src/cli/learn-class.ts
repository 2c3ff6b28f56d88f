/** `waymark learn-class`: computes the exemplars of a `screenshot_class` from a folder of pictures, and the distance to allow. */
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Browser, findBrowser, PictureDecoder } from '../chromium/index.ts';
import { type Exemplar, learnClass, perceptualHash } from '../contracts/index.ts';
import { counted, WaymarkError } from '../errors/index.ts';
import { defineCommand } from './command.ts';
import { EXIT } from './exit-code.ts';

const PICTURE = /\.(png|jpe?g|webp)$/i;

export const learnClassCommand = defineCommand({
  name: 'learn-class',
  about: [
    'computes the exemplars of a screenshot_class from a folder of pictures, and the distance to allow.',
    'Writes exemplars.json into the folder; the name of the folder is the class_id for contracts.',
  ].join('\n'),
  operands: { label: '<folder>', about: 'pictures of the class: PNG, JPEG or WebP' },
  flags: {
    negatives: {
      type: 'string',
      value: '<folder>',
      about: 'pictures that do not belong to the class, for a better distance',
    },
    browser: { type: 'string', value: '<shell|chrome|path>', about: 'the browser that decodes the pictures' },
    json: { type: 'boolean', about: 'print one JSON object and nothing else' },
  },
  examples: [
    { line: 'waymark learn-class exemplars/checkout-done', does: 'learn the class "checkout-done"' },
    {
      line: 'waymark learn-class exemplars/done --negatives exemplars/other',
      does: 'also use pictures of something else',
    },
  ],
  async run(flags, terminal, [folder]) {
    if (folder === undefined) throw new WaymarkError({ code: 'usage', message: 'Give the folder with the pictures.' });
    const browser = findBrowser({ wanted: flags.browser });
    if (!browser)
      throw new WaymarkError({
        code: 'browser_not_found',
        message: 'No browser was found to decode pictures with.',
        hint: 'Run waymark doctor to see what to install.',
      });
    await using running = await Browser.launch({ browser });
    const decoder = await PictureDecoder.open(running);
    const hashes = async (from: string): Promise<Exemplar[]> => {
      const found: Exemplar[] = [];
      for (const name of picturesIn(from)) {
        const picture = await decoder.decode(readFileSync(path.join(from, name)), path.join(from, name));
        found.push({ name, hash: perceptualHash(picture) });
      }
      return found;
    };
    const exemplars = await hashes(folder);
    const negatives = flags.negatives === undefined ? [] : await hashes(flags.negatives);
    const learnt = learnClass(
      exemplars.map(({ hash }) => hash),
      negatives.map(({ hash }) => hash),
    );
    const class_id = path.basename(path.resolve(folder));
    const record = { format: 'waymark.exemplars.v1', class_id, exemplars, ...learnt };
    const file = path.join(folder, 'exemplars.json');
    writeFileSync(`${file}.new`, `${JSON.stringify(record, null, 2)}\n`);
    renameSync(`${file}.new`, file);
    if (flags.json) terminal.out(`${JSON.stringify(record, null, 2)}\n`);
    else {
      terminal.out(`${counted(exemplars.length, 'picture')} of "${class_id}", written to ${file}\n`);
      terminal.out(
        `${learnt.reason}\nUse: ${JSON.stringify({ kind: 'screenshot_class', class_id, distance_max: learnt.distance_max })}\n`,
      );
    }
    return learnt.separable ? EXIT.ok : EXIT.checkFailed;
  },
});

function picturesIn(folder: string): string[] {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch (cause) {
    throw new WaymarkError({
      code: 'folder_unreadable',
      message: `${folder} cannot be read.`,
      hint: 'Give a folder with pictures.',
      cause,
    });
  }
  const pictures = names.filter((name) => PICTURE.test(name)).sort();
  if (pictures.length === 0) {
    throw new WaymarkError({
      code: 'class_without_pictures',
      message: `${folder} contains no pictures.`,
      hint: 'Put PNG, JPEG or WebP files into it.',
    });
  }
  return pictures;
}
