/** The data of report.html: blocks in the page itself, or, where the run is large, scripts in report-data/ beside it. */
import type { AttemptView, RunView } from '../../../src/view/index.ts';

export interface ReportRun {
  run: RunView;
  /** The folder of the attempts' scripts; absent where they are blocks of the page. */
  chunks?: string;
}

export interface ReportAttempt {
  attempt: AttemptView;
  /** Data URIs by file; pictures without one are files of the run's folder. */
  pictures: Readonly<Record<string, string>>;
}

export function readRun(): ReportRun {
  return JSON.parse(blockOf('waymark-run') ?? 'null') as ReportRun;
}

const waiting = new Map<string, (text: string) => void>();

/** Each script calls it with the attempt's id and its data as JSON. A page from `file:` may run scripts beside it, but fetch nothing. */
declare global {
  var waymarkAttempt: (id: string, text: string) => void;
}
globalThis.waymarkAttempt = (id, text) => waiting.get(id)?.(text);

/** Undefined where the report has no such attempt. */
export async function readAttempt(id: string, chunks: string | undefined): Promise<ReportAttempt | undefined> {
  if (!/^e\d+$/.test(id)) return undefined;
  const text = chunks === undefined ? blockOf(`waymark-${id}`) : await scriptOf(id, chunks);
  return text === undefined ? undefined : (JSON.parse(text) as ReportAttempt);
}

function blockOf(id: string): string | undefined {
  return document.getElementById(id)?.textContent ?? undefined;
}

function scriptOf(id: string, chunks: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const script = document.createElement('script');
    const done = (text: string | undefined) => {
      waiting.delete(id);
      script.remove();
      resolve(text);
    };
    waiting.set(id, done);
    script.onerror = () => done(undefined);
    script.src = `${chunks}/${id}.js`;
    document.head.append(script);
  });
}
