/** docs/reference/api.md, from the routes themselves: what /openapi.json says, on one page for people. */
import { z } from 'zod';
import { tokenKeys } from '../src/capture/index.ts';
import { RunFolders } from '../src/runs/index.ts';
import { apiRoutes, createApp, decideAccess, runFolderRoutes, startedRunRoutes } from '../src/server/index.ts';

const HEAD = `# The API

Made by \`node scripts/make-api-page.ts\` from the routes themselves; a server says the same at \`/openapi.json\` (OpenAPI 3.1).

- Requests and answers are JSON in UTF-8, unless a route says otherwise. Times are ISO 8601 in UTC.
- A server that was started with a token wants \`Authorization: Bearer <token>\` with everything but \`/healthz\` and \`/readyz\`.
- What is refused is answered with \`application/problem+json\`: \`{ type, title, status, code, detail, hint?, issues: { path, code, message, item_id? }[] }\`. \`code\` is stable; \`detail\` and \`hint\` are for people.
- Requests from other sites (\`Origin\`, \`Sec-Fetch-Site\`) and for other names (\`Host\`) are refused: 403 and 421. A body may be 1 MiB large, captures and datasets 64 MiB: 413. JSON may be nested 100 levels deep: 400. A method that a path does not take is answered with 405 and \`Allow\`.
- Uploads that are under way may have 512 MiB together, and 256 event streams may be open at once: 429 with \`Retry-After\`.
- Streams of events are server-sent events with ids: who comes back with \`Last-Event-ID\` misses nothing. A comment comes every 15 seconds; \`?limit=n\` ends the stream after n events.
`;

interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
}

interface Operation {
  tags?: string[];
  summary?: string;
  description?: string;
  parameters?: { name: string; in: string; required?: boolean; schema: Schema }[];
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema }> };
  responses: Record<string, { description: string; content?: Record<string, { schema: Schema }> }>;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  components?: { schemas?: Record<string, Schema> };
}

const documentSchema = z.looseObject({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) });

export async function apiPage(): Promise<string> {
  const { paths, components } = await describedApi();
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
  );
  const byTag = Map.groupBy(routes, ({ operation }) => operation.tags?.[0] ?? 'other');
  const types = Object.entries(components?.schemas ?? {}).filter(([name]) => name !== 'Problem');
  return [
    HEAD,
    ...[...byTag].flatMap(([tag, own]) => [
      `## ${tag.charAt(0).toUpperCase()}${tag.slice(1)}`,
      '',
      '| route | does |',
      '|---|---|',
      ...own.map(({ name, operation }) => `| [\`${name}\`](#${anchor(name)}) | ${cell(operation.summary ?? '')} |`),
      '',
      ...own.map(({ name, operation }) => sectionOf(name, operation)),
    ]),
    '## Types',
    '',
    'Names that routes share.',
    '',
    ...types.flatMap(([name, schema]) => ['```ts', `${name} = ${typeText(schema)}`, '```', '']),
  ]
    .join('\n')
    .replace(/\n{3,}/g, '\n\n');
}

/** No database is opened: routes are described before anybody asks them. */
async function describedApi(): Promise<Document> {
  const keys = tokenKeys([{ kid: 'none', secret: Buffer.alloc(32) }]);
  const nothing = undefined as never;
  const app = createApp({
    store: nothing,
    queue: nothing,
    artifacts: nothing,
    version: '',
    allowLocalProviders: false,
    stopping: new AbortController().signal,
    log: () => undefined,
    access: decideAccess({ host: '127.0.0.1' }),
    routeModules: [
      apiRoutes({ keys }),
      runFolderRoutes(new RunFolders([])),
      startedRunRoutes(new RunFolders([]), undefined),
    ],
  });
  const answer = await app.request('/openapi.json', { headers: { host: 'localhost' } });
  return documentSchema.parse(await answer.json()) as unknown as Document;
}

function sectionOf(name: string, { summary, description, parameters = [], requestBody, responses }: Operation): string {
  const body = Object.entries(requestBody?.content ?? {});
  const json = body.find(([type]) => type === 'application/json')?.[1].schema;
  // One form, or one of several.
  const forms = json?.properties ? [json] : (json?.anyOf ?? []);
  const fields = forms.flatMap((form, index) => [
    index > 0 ? 'Or:' : `Body${requestBody?.required ? '' : ', may be left out'}:`,
    '',
    ...block(form),
  ]);
  return [
    `### ${name}`,
    '',
    [summary, description]
      .filter((text) => text !== undefined)
      .map((text) => cell(`${text.replace(/\.$/, '')}.`))
      .join(' '),
    '',
    ...(parameters.length > 0
      ? [
          ...parameters.map(
            (parameter) =>
              `- \`${parameter.name}\` (${parameter.in}${parameter.required ? '' : ', may be left out'}): ${inline(parameter.schema)}`,
          ),
          '',
        ]
      : []),
    ...fields,
    ...(body.length > 0 && fields.length === 0 ? [`Body: ${body.map(([type]) => `\`${type}\``).join(', ')}.`, ''] : []),
    ...Object.entries(responses).flatMap(([status, response]) => answerOf(status, response)),
    problemsOf(responses),
    '',
  ].join('\n');
}

function answerOf(status: string, { description, content }: Operation['responses'][string]): string[] {
  if (Number(status) >= 400) return [];
  const [type, media] = Object.entries(content ?? {})[0] ?? [];
  const is = type === undefined || type === 'application/json' ? '' : ` (\`${type}\`)`;
  const says = `${status}: ${cell(description).replace(/\.$/, '')}${is}`;
  if (!media || type !== 'application/json') return [`${says}.`, ''];
  const text = typeText(media.schema);
  return text.includes('\n') ? [`${says}:`, '', ...block(media.schema)] : [`${says}: \`${text}\`.`, ''];
}

function problemsOf(responses: Operation['responses']): string {
  const statuses = Object.keys(responses).filter((status) => Number(status) >= 400);
  return statuses.length === 0 ? '' : `Refused with ${statuses.join(', ')}.\n`;
}

function block(schema: Schema): string[] {
  return ['```ts', typeText(schema), '```', ''];
}

/** A schema in the notation that most readers of an API know. */
function typeText(schema: Schema, indent = ''): string {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) ?? 'unknown';
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const union = schema.anyOf ?? schema.oneOf;
  if (union) return union.map((one) => typeText(one, indent)).join(' | ');
  if (schema.allOf) return schema.allOf.map((one) => typeText(one, indent)).join(' & ');
  if (Array.isArray(schema.type)) {
    return schema.type.map((type) => typeText({ ...schema, type }, indent)).join(' | ');
  }
  if (schema.type === 'array') return listText(typeText(schema.items ?? {}, indent));
  if (schema.properties && Object.keys(schema.properties).length > 0) return objectText(schema, indent);
  if (schema.type === 'object') {
    const { additionalProperties: values } = schema;
    return typeof values === 'object' ? `{ [name]: ${typeText(values, indent)} }` : '{ … }';
  }
  return schema.type ?? 'unknown';
}

function listText(of: string): string {
  return / [|&] /.test(of) && !of.startsWith('{') ? `(${of})[]` : `${of}[]`;
}

function objectText({ properties = {}, required = [] }: Schema, indent: string): string {
  const inner = `${indent}  `;
  const lines = Object.entries(properties).map(
    ([name, of]) => `${inner}${name}${required.includes(name) ? '' : '?'}: ${typeText(of, inner)}`,
  );
  const short = `{ ${lines.map((line) => line.trim()).join(', ')} }`;
  return short.includes('\n') || short.length > 90 ? `{\n${lines.join('\n')}\n${indent}}` : short;
}

function inline(schema: Schema): string {
  return `\`${typeText(schema)}\``;
}

/** A bare <word> would be an HTML tag to a Markdown reader. */
function cell(text: string): string {
  return text.replace(/<(?=[a-z])/gi, '&lt;').replaceAll('|', '\\|');
}

function anchor(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');
}
