/** A small application for graders: forms in both encodings, a redirect that sets cookies, and requests that fail or never end. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const PAGE = `<!doctype html><title>Shop</title><h1>Shop</h1>
<form method="post" action="/contact"><input name="message[text]" value="I want a refund"><input type="hidden" name="key" value="k-1">
<button id="send">Send</button></form>
<button id="buy" onclick="localStorage.setItem('cart', JSON.stringify([...JSON.parse(localStorage.getItem('cart') ?? '[]'), 'Green Tea, 20 bags']))">Buy</button>`;

/** The state lives in the browser; a script writes it, after the page was loaded. */
const FINISH = `<!doctype html><title>Finish</title><p>Please wait.</p><script>
addEventListener('load', () => setTimeout(() => {
  const pre = document.createElement('pre');
  pre.textContent = JSON.stringify({ cart: JSON.parse(localStorage.getItem('cart') ?? '[]'), note: localStorage.getItem('note') }, null, 2);
  document.body.append(pre);
}, 50));
</script>`;

export interface SmallShop extends AsyncDisposable {
  readonly origin: string;
  /** Paths with their queries, as they were asked for. */
  readonly requested: readonly string[];
}

export async function openShop(): Promise<SmallShop> {
  const requested: string[] = [];
  const server = createServer((request, response) => {
    requested.push(request.url ?? '');
    void answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    requested,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://shop');
  const html = (text: string): void => void response.setHeader('content-type', 'text/html').end(text);
  const json = (value: unknown, status = 200): void =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  const sent: Buffer[] = [];
  for await (const part of request) sent.push(part as Buffer);
  switch (pathname) {
    case '/':
      return html(PAGE);
    case '/contact':
      response.setHeader('set-cookie', ['flash=Your%20message%20was%20sent; Path=/', 'other=1; Path=/']);
      return void response.writeHead(302, { location: '/thanks?from=contact' }).end();
    case '/finish':
      return html(FINISH);
    case '/state.json':
      return json({ orders: 3, visits: Number(searchParams.get('visits')) });
    case '/state-broken':
      return json({ orders: 3 }, 500);
    case '/thanks':
      return html('<h1>Thank you</h1><p id="result">Arrived.</p>');
    case '/api/notes':
      return json({ note: { id: 7, length: Buffer.concat(sent).length } }, 201);
    case '/api/search':
      return json({ query: searchParams.get('q'), total: 2 });
    case '/api/big':
      return json({ text: 'x'.repeat(300_000) });
    case '/api/missing':
      return json({ error: 'There is none.' }, 404);
    case '/api/broken':
      return void request.socket.destroy();
    case '/api/never':
      return;
    default:
      response.writeHead(404).end();
  }
}
