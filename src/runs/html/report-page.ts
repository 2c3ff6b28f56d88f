/**
 * `report.html`: the viewer with its data, in one file that needs no network and no server. A large run has one script per attempt beside
 * it, in report-data/: a page that was opened as a file may run scripts beside it, but read nothing else.
 */
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { putPieces } from '../../journal/index.ts';
import { type AttemptView, HTML_LIMITS, type RunView } from '../../view/index.ts';
import { html } from './html.ts';
import { grantPictures, type WantedPictures } from './pictures.ts';
import { contentPolicy } from './policy.ts';
import { type ViewerBundle, viewerBundle } from './viewer-bundle.ts';

const REPORT_DATA = 'report-data';

interface Held {
  id: string;
  text: string;
  wanted: WantedPictures;
}

type Limits = { inlineText: number; chunkText: number };

export interface ReportPageOptions {
  /** The run's folder: pictures are read from it. */
  root: string;
  /** Where the page is written; the run's folder, or another one to compare with it. */
  into: string;
  limits?: Limits;
}

export class ReportPage implements Disposable {
  readonly #root: string;
  readonly #into: string;
  readonly #limits: Limits;
  #held: Held[] = [];
  #size = 0;
  #isChunked = false;

  constructor({ root, into, limits = HTML_LIMITS }: ReportPageOptions) {
    this.#root = root;
    this.#into = into;
    this.#limits = limits;
  }

  /** `isPlain`: it passed, and no grader differs about it. False where the attempt does not fit, so that only its row is shown. */
  add(id: string, attempt: AttemptView, { success, isPlain }: { success: boolean; isPlain: boolean }): boolean {
    const text = JSON.stringify(attempt);
    if (isPlain && this.#size > this.#limits.chunkText) return false;
    this.#size += text.length;
    if (this.#isChunked) this.#writeChunk(id, text);
    else {
      const files = [...new Set(attempt.frames.map(({ file }) => file))];
      this.#held.push({ id, text, wanted: { folder: path.join(this.#root, attempt.folder), success, files } });
      if (this.#size > this.#limits.inlineText) this.#startChunks();
    }
    return true;
  }

  async write(run: RunView): Promise<void> {
    const bundle = await viewerBundle();
    rmSync(path.join(this.#into, REPORT_DATA), { recursive: true, force: true });
    if (this.#isChunked) renameSync(this.#chunks, path.join(this.#into, REPORT_DATA));
    putPieces(path.join(this.#into, 'report.html'), this.#pieces(run, bundle));
  }

  [Symbol.dispose](): void {
    rmSync(this.#chunks, { recursive: true, force: true });
  }

  get #chunks(): string {
    return path.join(this.#into, `${REPORT_DATA}.new`);
  }

  #startChunks(): void {
    this.#isChunked = true;
    rmSync(this.#chunks, { recursive: true, force: true });
    mkdirSync(this.#chunks);
    for (const { id, text } of this.#held) this.#writeChunk(id, text);
    this.#held = [];
  }

  #writeChunk(id: string, text: string): void {
    const call = `waymarkAttempt(${JSON.stringify(id)},${asData(JSON.stringify(`{"attempt":${text},"pictures":{}}`))});\n`;
    writeFileSync(path.join(this.#chunks, `${id}.js`), call);
  }

  *#pieces(run: RunView, { script, style }: ViewerBundle): Generator<string, void, undefined> {
    const chunks = this.#isChunked ? { chunks: REPORT_DATA } : {};
    yield html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${contentPolicy({ style, script, isViewer: true })}">
<meta name="color-scheme" content="light dark">
<title>${run.title}</title>
`.text;
    yield `<style>${style}</style>\n</head>\n<body>\n<div id="root"></div>\n`;
    yield html`<noscript><h1>${run.title}</h1><p>This page needs JavaScript. report.md, beside it, tells the same as text.</p></noscript>
`.text;
    yield block('waymark-run', JSON.stringify({ run, ...chunks }));
    const granted = grantPictures(this.#held.map(({ wanted }) => wanted));
    for (const [index, { id, text }] of this.#held.entries()) {
      const pictures = JSON.stringify(Object.fromEntries(granted[index]?.uris ?? []));
      yield block(`waymark-${id}`, `{"attempt":${text},"pictures":${pictures}}`);
    }
    yield `<script>${script}</script>\n</body>\n</html>\n`;
  }
}

function block(id: string, json: string): string {
  return `<script type="application/json" id="${id}">${asData(json)}</script>\n`;
}

/** Text of pages must not end the element that it stands in: in JSON and in scripts an escape means the same. */
function asData(json: string): string {
  return json.replaceAll('<', '\\u003c').replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}
