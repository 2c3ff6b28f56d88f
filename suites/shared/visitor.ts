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
  readonly #port: number;
  readonly #host: string;
  readonly #agent = new Agent({ keepAlive: true });

  constructor(port: number, host: string, cookie?: string) {
    this.#port = port;
    this.#host = host;
    this.cookie = cookie;
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
    const headers = { ...given, ...(this.cookie === undefined ? {} : { cookie: this.cookie }) };
    const options = { port: this.#port, host: '127.0.0.1', method, path, headers, agent: this.#agent };
    request(options, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => {
        const cookie = response.headers['set-cookie']?.[0]?.split(';')[0];
        this.cookie = cookie ?? this.cookie;
        resolve({ status: response.statusCode ?? 0, location: response.headers.location ?? '', cookie, body: text });
      });
    })
      .on('error', reject)
      .end(body);
    return promise;
  }
}
