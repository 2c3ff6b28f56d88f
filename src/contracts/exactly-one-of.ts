/** Kinds that compare in one of several ways: the fields of exactly one way must be there. */
import type * as z from 'zod';

/** The rule is checked even where other fields are wrong, so that a refusal says everything at once. `tolerance` belongs to `op`. */
export function exactlyOneOf<S extends z.ZodObject>(ways: readonly (readonly string[])[], schema: S): S {
  const named = (some: readonly (readonly string[])[]) => some.map((way) => way.join(' with '));
  const rule = (node: unknown, context: z.core.$RefinementCtx): void => {
    const given: object & { kind?: unknown } = Object(node);
    const has = (field: string): boolean => Object.hasOwn(given, field);
    const begun = ways.filter((way) => way.some(has));
    const [way = []] = begun;
    if (begun.length === 1) {
      for (const field of way.filter((one) => !has(one)))
        context.addIssue({ code: 'custom', path: [field], message: `is missing; ${named([way])} is one comparison.` });
    } else {
      const found = begun.length === 0 ? 'none' : named(begun).join(' and ');
      const message = `"${given.kind}" takes exactly one of ${named(ways).join(', ')}; it has ${found}.`;
      context.addIssue({ code: 'custom', message });
    }
    if (has('tolerance') && !has('op'))
      context.addIssue({ code: 'custom', path: ['tolerance'], message: 'needs op with value.' });
  };
  // Each way names its fields in full: not every reader of JSON Schema understands a bare "required".
  const oneOf = ways.map((way) => ({
    type: 'object',
    properties: Object.fromEntries(way.map((field) => [field, {}])),
    required: [...way],
  }));
  return schema.superRefine(rule, { when: () => true }).meta({ oneOf });
}
