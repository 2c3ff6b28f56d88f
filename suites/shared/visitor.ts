/** A visitor of the sites without a browser, for tests: it keeps its cookie, and its own connections until it leaves. */
import { Agent, request } from 'node:http';

export interface Got {
  readonly status: number;
  readonly location: string;
  /** The cookie that was set, without its attributes. */
  readonly cookie: string | undefined;
  readonly body: string;
}

export class Visitor {
  cookie: string | undefined;
  /** The cookie is sent to this host, and with a point before it to all hosts below it, as browsers do. */
  #cookieHost: string;
  readonly #port: number;
  readonly #host: string;
  readonly #agent = new Agent({ keepAlive: true });

  constructor(port: number, host: string, cookie?: string) {
    this.#port = port;
    this.#host = host;
    this.cookie = cookie;
    this.#cookieHost = host;
  }

  get(path: string, headers: Readonly<Record<string, string>> = {}, host = this.#host): Promise<Got> {
    return this.#send('GET', path, '', { host, ...headers });
  }

  post(path: string, form: Readonly<Record<string, string>>, host = this.#host): Promise<Got> {
    return this.#send('POST', path, new URLSearchParams(form).toString(), { host });
  }

  /** Closes its connections, as a browser context does that is disposed. */
  leave(): void {
    this.#agent.destroy();
  }

  #send(method: string, path: string, body: string, given: Readonly<Record<string, string>>): Promise<Got> {
    const { promise, resolve, reject } = Promise.withResolvers<Got>();
    const host = given['host'] ?? this.#host;
    const isSent = host === this.#cookieHost || (this.#cookieHost.startsWith('.') && host.endsWith(this.#cookieHost));
    const headers = { ...given, ...(isSent && this.cookie !== undefined ? { cookie: this.cookie } : {}) };
    const options = { port: this.#port, host: '127.0.0.1', method, path, headers, agent: this.#agent };
    request(options, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => {
        const [cookie, ...attributes] = response.headers['set-cookie']?.[0]?.split(/;\s*/) ?? [];
        const domain = attributes.find((each) => each.startsWith('Domain='))?.slice('Domain='.length);
        if (cookie !== undefined) {
          this.cookie = cookie;
          this.#cookieHost = domain === undefined ? host : `.${domain}`;
        }
        resolve({ status: response.statusCode ?? 0, location: response.headers.location ?? '', cookie, body: text });
      });
    })
      .on('error', reject)
      .end(body);
    return promise;
  }
}
