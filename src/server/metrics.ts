/** Prometheus metrics: requests by route, jobs by queue, the process. */
import type { MiddlewareHandler } from 'hono';
import { routePath } from 'hono/route';
import type { QueueStats } from '../store/index.ts';
import type { AppEnv } from './route-module.ts';

const BUCKETS = [0.005, 0.02, 0.1, 0.5, 2, 10];

interface Series {
  labels: string;
  count: number;
  seconds: number;
  buckets: number[];
}

export class Metrics {
  readonly #series = new Map<string, Series>();

  /** Counts when the response starts, because a stream may last for hours. */
  readonly middleware: MiddlewareHandler<AppEnv> = async (c, next) => {
    const start = performance.now();
    await next();
    // The label is the route pattern and not the path, because each id in a path would make its own series.
    const labels = `method="${c.req.method}",route="${escapeLabel(routePath(c, -1))}",status="${c.res.status}"`;
    this.#observe(labels, (performance.now() - start) / 1000);
  };

  #observe(labels: string, seconds: number): void {
    const series = this.#series.get(labels) ?? { labels, count: 0, seconds: 0, buckets: BUCKETS.map(() => 0) };
    this.#series.set(labels, series);
    series.count += 1;
    series.seconds += seconds;
    for (const [index, bound] of BUCKETS.entries()) {
      if (seconds <= bound) series.buckets[index] = (series.buckets[index] ?? 0) + 1;
    }
  }

  render(queues: readonly QueueStats[], version: string): string {
    const name = 'waymark_http_request_duration_seconds';
    const lines = [
      `# HELP ${name} Time until the answer began.`,
      `# TYPE ${name} histogram`,
      ...[...this.#series.values()].flatMap(({ labels, count, seconds, buckets }) => [
        ...BUCKETS.map((bound, index) => `${name}_bucket{${labels},le="${bound}"} ${buckets[index] ?? 0}`),
        `${name}_bucket{${labels},le="+Inf"} ${count}`,
        `${name}_sum{${labels}} ${seconds}`,
        `${name}_count{${labels}} ${count}`,
      ]),
      '# HELP waymark_jobs Jobs by queue and state.',
      '# TYPE waymark_jobs gauge',
      ...queues.flatMap((queue) =>
        (['waiting', 'active', 'failed'] as const).map(
          (state) => `waymark_jobs{queue="${escapeLabel(queue.name)}",state="${state}"} ${queue[state]}`,
        ),
      ),
      ...gauge('process_resident_memory_bytes', 'Memory in use.', process.memoryUsage.rss()),
      ...gauge('process_uptime_seconds', 'Seconds since the start.', process.uptime()),
      '# HELP waymark_info The version that runs.',
      '# TYPE waymark_info gauge',
      `waymark_info{version="${escapeLabel(version)}"} 1`,
    ];
    return `${lines.join('\n')}\n`;
  }
}

function gauge(name: string, help: string, value: number): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} gauge`, `${name} ${value}`];
}

function escapeLabel(text: string): string {
  return text.replace(/[\\"\n]/g, (char) => (char === '\n' ? '\\n' : `\\${char}`));
}
