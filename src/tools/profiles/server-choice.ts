/** The user's choice and configuration of a server. It is validated strictly, and all problems are reported at once. */
import { z } from 'zod';
import { findingsOf, WaymarkError } from '../../errors/index.ts';
import { ACTION_NAMES } from '../canonical/action-of-call.ts';

const command = z.array(z.string().min(1)).min(1).describe('Program and first arguments, each by itself');
const env = z.record(z.string(), z.string()).describe('Variables for the server; nothing else of ours reaches it');
const args = z.array(z.string()).describe('Further arguments, at the end');
const filesFolder = z.string().min(1).describe('The folder that uploads may come from');
const headers = z.record(z.string(), z.string());
const httpUrl = z.url({ protocol: /^https?$/ });

const npm = {
  command: command.optional().describe('Instead of the installed package'),
  args: args.optional(),
  env: env.optional(),
  coordinates: z
    .boolean()
    .optional()
    .describe('Its tools that take coordinates, which it offers by option only. Default: true'),
  filesFolder: filesFolder.optional(),
};

const Tabs = z.strictObject({
  by: z.enum(['target-id', 'page-number', 'index', 'none']),
  argument: z.string().min(1).optional(),
  listTool: z.string().min(1).optional(),
  listArgs: z.record(z.string(), z.unknown()).optional(),
});

const Call = z.strictObject({ tool: z.string().min(1), args: z.record(z.string(), z.unknown()).default({}) });

/** One call, or several in their order. */
const Calls = z.union([Call, z.array(Call).min(1)]).transform((given) => (Array.isArray(given) ? given : [given]));

const Actions = z
  .partialRecord(z.enum(ACTION_NAMES), Calls)
  .describe('Canonical action to the calls that do it, with {selector}, {text}, {url}, {tab}, {ref} and others');

const CDP_PLACE = /\{(?:cdp(?:Http|Ws|Port)|chromium)\}/;

const CustomServer = z
  .strictObject({
    server: z.literal('custom'),
    name: z
      .string()
      .regex(/^[a-z0-9][a-z0-9._-]{0,63}$/, 'lower-case letters, digits, ".", "_" and "-"')
      .optional(),
    command: command.optional().describe('It may hold {cdpHttp}, {cdpWs}, {cdpPort}, {chromium} and {mcpPort}'),
    package: z
      .string()
      .min(1)
      .optional()
      .describe('An npm package that is installed here; its program is started instead of a command'),
    args: args.optional().describe('The arguments of the package’s program; they may hold the same as command'),
    url: z
      .string()
      .refine((url) => httpUrl.safeParse(url.replace('{mcpPort}', '1')).success, 'must be an http or https URL')
      .optional()
      .describe('Its MCP address; with a command it holds {mcpPort}'),
    headers: headers.optional(),
    env: env.optional().describe('Values may hold the same as command'),
    startSeconds: z.number().min(1).max(600).optional().describe('How long its start may take. Default: 30'),
    freshProcess: z.boolean().optional().describe('A new process for each episode. Default: when {chromium} is used'),
    attach: z.enum(['gate', 'own']),
    openDiscovery: z
      .boolean()
      .optional()
      .describe('It looks for /json/version on {cdpPort}. Default: when {cdpPort} is used'),
    cdpAddress: z
      .string()
      .min(1)
      .optional()
      .describe('For own: where its browser is found (ws://… or http://host:port)'),
    navigate: z.strictObject({ tool: z.string().min(1), argument: z.string().min(1).optional() }),
    observe: z.array(z.string().min(1)).min(1).describe('Tools that only look; the first one shows the page'),
    tabs: Tabs.optional(),
    firstCalls: z.array(Call).min(1).optional().describe('Calls to make before each episode'),
    actions: Actions.optional(),
    dialect: z
      .enum(['embedded', 'playwright', 'chrome-devtools', 'openchrome', 'browseros', 'plain'])
      .optional()
      .describe(
        'The server whose calls it understands, for canonical actions. Default: plain, which navigates and reads',
      ),
  })
  .superRefine((given, context) => {
    const problem = (message: string, ...path: string[]): void => context.addIssue({ code: 'custom', message, path });
    const isStarted = given.command !== undefined || given.package !== undefined;
    if (given.command !== undefined && given.package !== undefined)
      problem('give one of command and package', 'package');
    if (!isStarted && given.url === undefined) problem('give a command, a package or a url', 'command');
    if (given.package === undefined && given.args) problem('args go with a package', 'args');
    if (given.url === undefined && given.headers) problem('headers go with a url', 'headers');
    if (!isStarted && given.env) problem('env goes with a command', 'env');
    if (given.actions && given.dialect !== undefined && given.dialect !== 'plain')
      problem('give one of actions and dialect', 'actions');
    if (given.attach === 'own' && given.cdpAddress === undefined)
      problem('a server with its own browser needs the CDP address of that browser', 'cdpAddress');
    if (given.attach === 'gate' && given.cdpAddress !== undefined)
      problem('the gate provides the address; this field is only for attach "own"', 'cdpAddress');
    const words = [...(given.command ?? []), ...(given.args ?? []), ...Object.values(given.env ?? {})];
    const commandLine = words.join(' ');
    if (given.attach === 'gate' && !CDP_PLACE.test(commandLine))
      problem(
        'the server does not get the address of its browser: use {cdpHttp}, {cdpWs}, {cdpPort} or {chromium}',
        'command',
      );
    if (given.attach === 'own' && CDP_PLACE.test(commandLine))
      problem('a server with its own browser does not use that of the harness: use attach "gate"', 'attach');
    const hasPort = given.url?.includes('{mcpPort}') === true;
    if (isStarted && given.url !== undefined && !(hasPort && commandLine.includes('{mcpPort}')))
      problem(
        'a server that Waymark starts listens where it is told: use {mcpPort} in command or env and in url',
        'url',
      );
    if (!isStarted && hasPort) problem('{mcpPort} goes with a command', 'url');
  });

export const ServerChoice = z.discriminatedUnion('server', [
  z.strictObject({ server: z.literal('embedded'), filesFolder: filesFolder.optional() }),
  z.strictObject({ server: z.literal('playwright'), ...npm }),
  z.strictObject({ server: z.literal('chrome-devtools'), ...npm }),
  z.strictObject({
    server: z.literal('openchrome'),
    command: command.describe('It is not on npm: e.g. ["node", "…/dist/index.js"]'),
    args: args.optional(),
    env: env.optional(),
  }),
  z.strictObject({
    server: z.literal('browseros'),
    url: httpUrl.describe('Its MCP address'),
    headers: headers.optional(),
    cdpAddress: z.string().min(1).describe('Its CDP address, for the witness'),
  }),
  CustomServer,
]);
export type ServerChoice = z.infer<typeof ServerChoice>;
export type NpmChoice = Omit<Extract<ServerChoice, { server: 'playwright' }>, 'server'>;
export type OpenChromeChoice = Omit<Extract<ServerChoice, { server: 'openchrome' }>, 'server'>;
export type BrowserOsChoice = Omit<Extract<ServerChoice, { server: 'browseros' }>, 'server'>;
export type CustomChoice = Omit<Extract<ServerChoice, { server: 'custom' }>, 'server'>;

/** A name alone (`playwright`) or the JSON of a configuration. */
export function parseServerChoice(given: unknown): ServerChoice {
  const parsed = ServerChoice.safeParse(typeof given === 'string' ? { server: given } : given);
  if (parsed.success) return parsed.data;
  throw new WaymarkError({
    code: 'usage_bad_server',
    message: `Invalid tool server configuration: ${findingsOf(parsed.error).join('; ')}.`,
    hint: 'Names are embedded, playwright, chrome-devtools, openchrome, browseros and custom; see docs/reference/servers.md.',
  });
}
