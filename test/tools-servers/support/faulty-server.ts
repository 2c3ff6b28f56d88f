/** An MCP server that misbehaves on request. Run by itself it speaks on stdio, or on HTTP when it is given a port. */
import { spawn } from 'node:child_process';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';

const text = (words: string) => ({ content: [{ type: 'text' as const, text: words }] });

function faultyServer(): McpServer {
  const server = new McpServer({ name: 'faulty', version: '1.2.3' });
  let cancelled = 0;
  server.registerTool(
    'echo',
    { inputSchema: { words: z.string() }, annotations: { readOnlyHint: true } },
    ({ words }) => text(words),
  );
  server.registerTool('environment', {}, () => text(JSON.stringify({ ...process.env, cwd: process.cwd() })));
  server.registerTool('hang', {}, ({ signal }) => {
    signal.addEventListener('abort', () => cancelled++);
    return new Promise(() => {});
  });
  server.registerTool('cancelled', {}, () => text(String(cancelled)));
  server.registerTool('fail', { inputSchema: { words: z.string() } }, ({ words }) => ({
    ...text(words),
    isError: true,
  }));
  server.registerTool('exit', { inputSchema: { code: z.number() } }, ({ code }) => {
    process.stderr.write('first words\nI can not go on.\n', () => process.exit(code));
    return new Promise(() => {});
  });
  server.registerTool('crash', {}, () => {
    setImmediate(() => {
      throw new Error('out of luck');
    });
    return new Promise(() => {});
  });
  server.registerTool('silence', {}, () => {
    process.stdout.end();
    return new Promise(() => {});
  });
  server.registerTool('spew', { inputSchema: { characters: z.number() } }, ({ characters }) =>
    text('x'.repeat(characters)),
  );
  server.registerTool('chatter', {}, () => {
    process.stdout.write('Listening on port 1234\n{"not":"a message"}\n');
    process.stderr.write('noise\n'.repeat(20_000));
    return text('said');
  });
  server.registerTool('garbage', {}, () => ({ content: 'no content at all' }) as never);
  server.registerTool('offspring', {}, () => {
    // One that stays in the group, and one that leaves it.
    const program = ['-e', 'setInterval(() => {}, 1000)'];
    const near = spawn(process.execPath, program, { stdio: 'ignore' });
    const far = spawn(process.execPath, program, { stdio: 'ignore', detached: true });
    far.unref();
    // One that has nothing of its parents: neither group nor folder nor environment. Its parent, a shell, has ended.
    const orphan = spawn('/bin/sh', ['-c', 'exec >/dev/null; cd /; setsid env -i sleep 1000 & echo $! >&2'], {
      stdio: ['ignore', 'ignore', 'pipe'],
      detached: true,
    });
    return new Promise((resolve) => {
      orphan.stderr.once('data', (data) => resolve(text(`${near.pid} ${far.pid} ${String(data).trim()}`)));
    });
  });
  server.registerTool('stubborn', {}, () => {
    process.on('SIGTERM', () => {});
    setInterval(() => {}, 1_000);
    process.stdin.removeAllListeners('end');
    return text('will not end');
  });
  server.registerTool('null', {}, ({ requestId }) => {
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id: requestId, result: null })}\n`);
    return new Promise(() => {});
  });
  server.registerTool('navigate', { inputSchema: { url: z.string() } }, ({ url }) => text(`went to ${url}`));
  if (process.env['BAD_SCHEMAS'] !== undefined) {
    const inputSchema = { type: 'object' as const };
    server.server.setRequestHandler(ListToolsRequestSchema, () => ({
      tools: [
        { name: 'echo', inputSchema },
        { name: 'broken', inputSchema: { type: 'array' } },
        { inputSchema },
      ] as never,
    }));
  }
  return server;
}

const port = process.argv[2];
if (port === undefined) {
  await faultyServer().connect(new StdioServerTransport());
} else {
  const { createServer } = await import('node:http');
  const { StreamableHTTPServerTransport } = await import('@modelcontextprotocol/sdk/server/streamableHttp.js');
  const sessions = new Map<string, InstanceType<typeof StreamableHTTPServerTransport>>();
  const http = createServer(async (request, response) => {
    const known = sessions.get(String(request.headers['mcp-session-id']));
    if (known) return known.handleRequest(request, response);
    if (request.headers['mcp-session-id'] !== undefined) return response.writeHead(404).end();
    if (request.headers.authorization !== 'Bearer let-me-in') return response.writeHead(401).end();
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    await faultyServer().connect(transport as never);
    await transport.handleRequest(request, response);
  });
  http.listen(Number(port), '127.0.0.1', () => {
    const address = http.address();
    process.stdout.write(`${typeof address === 'object' ? address?.port : ''}\n`);
  });
}
