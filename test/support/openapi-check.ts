/**
 * Holds live answers against the OpenAPI document that the same server gives: the operation is there, the status and the media type are among
 * those that it names, and a JSON body has the fields of its schema, with their types, and no others.
 */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { z } from 'zod';

type Schema = Record<string, unknown>;

const responseSchema = z.object({
  content: z.record(z.string(), z.object({ schema: z.record(z.string(), z.unknown()) })).optional(),
});
const operationSchema = z.object({ operationId: z.string(), responses: z.record(z.string(), responseSchema) });
const documentSchema = z.object({
  paths: z.record(z.string(), z.record(z.string(), operationSchema)),
  components: z.object({ schemas: z.record(z.string(), z.record(z.string(), z.unknown())) }),
});

export interface LiveAnswer {
  status: number;
  /** The media type, with its parameters. */
  type: string;
  text: string;
}

export class OpenApiCheck {
  readonly #document: z.infer<typeof documentSchema>;
  readonly #ajv = new Ajv2020({ strictTypes: false, validateFormats: false, allErrors: true });
  readonly #validators = new Map<string, ValidateFunction>();
  /** The operations that have answered with success. */
  readonly succeeded = new Set<string>();

  constructor(document: unknown) {
    this.#document = documentSchema.parse(document);
    this.#ajv.addKeyword('example');
  }

  /** Of all operations. */
  get operationIds(): string[] {
    return Object.values(this.#document.paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    );
  }

  /** @throws Error where the answer is not one that the document describes. */
  check(method: string, url: string, { status, type, text }: LiveAnswer): void {
    const where = `${method} ${url} answered ${status}`;
    const operation = this.#operationOf(method, new URL(url, 'http://localhost').pathname);
    if (!operation) {
      if (status < 400 && !url.startsWith('/openapi.json')) throw new Error(`${where}, and is not in the document.`);
      return;
    }
    const named = operation.responses[String(status)] ?? (status >= 400 ? operation.responses['default'] : undefined);
    if (!named) throw new Error(`${where}, which ${operation.operationId} does not describe.`);
    if (status < 400) this.succeeded.add(operation.operationId);
    const mediaType = type.split(';')[0] ?? '';
    const content = named.content ?? {};
    if (Object.keys(content).length === 0) {
      if (text !== '') throw new Error(`${where} with a body, and ${operation.operationId} describes none.`);
      return;
    }
    const described = content[mediaType];
    if (!described) throw new Error(`${where} with ${mediaType}; described: ${Object.keys(content).join(', ')}.`);
    if (!/[/+]json$/.test(mediaType)) return;
    const validate = this.#validator(`${operation.operationId} ${status} ${mediaType}`, described.schema);
    if (validate(JSON.parse(text))) return;
    const problems = validate.errors?.map(({ instancePath, message, params }) =>
      [instancePath || '/', message, JSON.stringify(params)].join(' '),
    );
    throw new Error(`${where}, and its body is not as ${operation.operationId} says:\n${problems?.join('\n')}`);
  }

  #operationOf(method: string, pathname: string) {
    const fits = ([template]: [string, unknown]) =>
      new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(pathname);
    // What is written out goes before a parameter.
    const found = Object.entries(this.#document.paths)
      .filter(fits)
      .sort(([a], [b]) => a.split('{').length - b.split('{').length)
      .map(([, methods]) => methods[method.toLowerCase()]);
    return found.find((operation) => operation !== undefined);
  }

  #validator(key: string, schema: Schema): ValidateFunction {
    const made = this.#validators.get(key) ?? this.#ajv.compile(this.#closed(schema));
    this.#validators.set(key, made);
    return made;
  }

  /** The schema without references, in which an object has no fields but those that are named. */
  #closed(schema: Schema, isPartOfAnother = false): Schema {
    if (typeof schema['$ref'] === 'string') {
      const named = this.#document.components.schemas[schema['$ref'].replace('#/components/schemas/', '')];
      if (!named) throw new Error(`${schema['$ref']} is not in the document.`);
      return this.#closed(named, isPartOfAnother);
    }
    const copy: Schema = { ...schema };
    for (const name of ['allOf', 'anyOf', 'oneOf'])
      if (Array.isArray(schema[name]))
        copy[name] = schema[name].map((one: Schema) => this.#closed(one, isPartOfAnother || name === 'allOf'));
    for (const name of ['items', 'additionalProperties'])
      if (typeof schema[name] === 'object') copy[name] = this.#closed(schema[name] as Schema);
    if (schema['properties'])
      copy['properties'] = Object.fromEntries(
        Object.entries(schema['properties']).map(([name, inner]) => [name, this.#closed(inner as Schema)]),
      );
    const isObject = 'properties' in schema || 'allOf' in schema;
    if (isObject && !isPartOfAnother && !('additionalProperties' in schema)) copy['unevaluatedProperties'] = false;
    return copy;
  }
}
