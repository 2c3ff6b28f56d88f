/** A JMESPath query, checked when it is made. */
import { compile, search } from 'jmespath';
import { messageOf, WaymarkError } from '../../errors/index.ts';

/** The types of the package leave it out. */
declare module 'jmespath' {
  export function compile(query: string): QueryNode;
}

interface QueryNode {
  readonly type: string;
  readonly name?: string | undefined;
  readonly children?: readonly (QueryNode | null)[] | undefined;
  readonly value?: unknown;
}

export type QueryResult = { readonly value: unknown } | { readonly problem: string };

/** What the package's messages begin with where a function was given a value of another type than it takes. */
const WRONG_TYPE = 'TypeError: ';

/** @throws where the query can't be used; a wrong number of arguments is found only when the query is evaluated, and is thrown then. */
export function jmespathQuery(query: string): (root: unknown) => QueryResult {
  let tree: QueryNode;
  try {
    tree = compile(query);
  } catch (error) {
    throw badQuery(query, messageOf(error));
  }
  const unknown = [...functionsIn(tree)].find((name) => !isFunction(name));
  if (unknown !== undefined) throw badQuery(query, `there is no function ${unknown}()`);
  return (root) => {
    try {
      return { value: search(root, query) ?? null };
    } catch (error) {
      const message = messageOf(error);
      if (!message.startsWith(WRONG_TYPE)) throw error;
      // The state is another one than the query expects.
      return { problem: message.slice(WRONG_TYPE.length) };
    }
  };
}

function* functionsIn(node: QueryNode): Iterable<string> {
  if (node.type === 'Function' && node.name !== undefined) yield node.name;
  const inside = [...(node.children ?? []), node.value];
  for (const child of inside) if (isNode(child)) yield* functionsIn(child);
}

function isNode(value: unknown): value is QueryNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

/** The package says it only when it calls one. */
function isFunction(name: string): boolean {
  try {
    search(null, `${name}()`);
    return true;
  } catch (error) {
    return !messageOf(error).startsWith('Unknown function');
  }
}

function badQuery(query: string, why: string): WaymarkError {
  return new WaymarkError({
    code: 'usage_bad_value',
    message: `A criterion of the grader "state-diff" has the query ${query}, which cannot be used: ${why}.`,
    hint: 'Queries are JMESPath: orders[0].name, length(cart.items), "a name with spaces".size.',
  });
}
