/** `waymark mcp`: the embedded browser tools for any MCP client, over stdio. Standard output carries only the protocol. */
import path from 'node:path';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { Browser, ensureBrowser, Pool } from '../chromium/index.ts';
import { embeddedServer } from '../tools/index.ts';
import { defineCommand } from './command.ts';
import { endOfInput } from './end-of-input.ts';
import { EXIT } from './exit-code.ts';
import { version } from './version.ts';

export const mcpCommand = defineCommand({
  name: 'mcp',
  about: [
    'serves the embedded browser tools over stdio, for any MCP client, with its own browser.',
    'Ends when standard input closes. Exit code: 0 the client disconnected, 2 wrong usage, 3 the browser did not start or was lost.',
  ].join('\n'),
  flags: {
    browser: { type: 'string', value: '<shell|chrome|path>', about: 'the browser; default: the best one found' },
    'resolver-rules': {
      type: 'string',
      value: '<rules>',
      about: 'Chromium’s --host-resolver-rules, e.g. "MAP shop.test 127.0.0.1:8080"',
    },
    files: {
      type: 'string',
      value: '<folder>',
      about: 'uploads come only from this folder; default: any readable file',
    },
    downloads: { type: 'string', value: '<folder>', about: 'where downloads go; default: they are refused' },
    json: { type: 'boolean', about: 'print an error at the start as JSON' },
  },
  examples: [
    { line: 'waymark mcp', does: 'serve the tools; usually an MCP client starts this command' },
    { line: 'npx @modelcontextprotocol/inspector waymark mcp', does: 'try the tools by hand' },
    { line: 'waymark mcp --browser chrome --files ./uploads', does: 'the full Chromium, uploads from one folder' },
  ],
  async run(flags, terminal) {
    const browser = ensureBrowser((line) => terminal.err(`${line}\n`), { wanted: flags.browser });
    const folder = (given: string | undefined): string | undefined =>
      given === undefined ? undefined : path.resolve(terminal.cwd, given);
    await using pool = new Pool({
      slots: 1,
      start: () => Browser.launch({ browser, resolverRules: flags['resolver-rules'] }),
      witness: { downloadFolder: folder(flags.downloads) },
    });
    const { slot } = await pool.acquire();
    await using server = embeddedServer({ slot, filesFolder: folder(flags.files), version: version() });
    const clientGone = endOfInput();
    await server.connect(new StdioServerTransport());
    const reason = await Promise.race([clientGone, slot.host.browser.gone]);
    if (reason === undefined) return EXIT.ok;
    terminal.err(`waymark: The browser was lost: ${reason}\n`);
    return EXIT.harness;
  },
});
