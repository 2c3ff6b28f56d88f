/** Turns untrusted data into a contract, or lists all of its problems at once. */
import { MAX_DEPTH, MAX_NODES, MAX_PROBLEMS, MAX_STATUSES } from './limits.ts';
import { childPath, kindProblem, type Problem, problemsOf } from './problem.ts';
import { type Contract, isKind, nodeSchemas } from './schema.ts';

export type ParsedContract = { ok: true; contract: Contract } | { ok: false; problems: Problem[] };

/**
 * Never throws on JSON, however deep or large it is. The returned contract is a copy.
 *
 * @param path the contract's position in a larger document; the paths of problems start with it.
 * @example
 * parseContract({ kind: 'dom_count', selector: 'li', op: 'lt', value: 3 });
 * // { ok: false, problems: [{ path: '$.op', message: '"op" must be one of eq, gte, lte; it is "lt".' }] }
 */
export function parseContract(input: unknown, path = '$'): ParsedContract {
  const problems: Problem[] = [];
  let leftOut = 0;
  let nodes = 0;

  const report = (problem: Problem) => {
    if (problems.length < MAX_PROBLEMS) problems.push(problem);
    else leftOut++;
  };

  /** Checks one assertion and its descendants. A node past a limit is reported, and its descendants are not checked. */
  const visit = (node: unknown, at: string, depth: number): unknown => {
    if (depth > MAX_DEPTH) {
      report({ path: at, message: `Assertions may nest ${MAX_DEPTH} deep at most; this one is at depth ${depth}.` });
      return undefined;
    }
    nodes++;
    if (!isObject(node) || !isKind(node.kind)) {
      report(kindProblem(node, at));
      // It may be a misspelt "and", so its children are checked as well.
      if (isObject(node)) visitBelow(node, at, depth);
      return undefined;
    }
    const { kind } = node;
    const result = nodeSchemas[kind].safeParse(withoutEndlessList(node));
    if (!result.success) {
      for (const issue of result.error.issues) for (const problem of problemsOf(issue, kind, node, at)) report(problem);
    }
    if (kind !== 'and' && kind !== 'or' && kind !== 'not') return result.data;
    return { kind, ...visitBelow(node, at, depth) };
  };

  const visitBelow = (node: Record<string, unknown>, at: string, depth: number) => {
    const below: { children?: unknown[]; child?: unknown } = {};
    if (Array.isArray(node.children)) {
      const allowed = Math.max(0, MAX_NODES - nodes);
      const list = childPath(at, 'children');
      below.children = [];
      for (const [index, child] of node.children.slice(0, allowed).entries()) {
        // The descendants of an earlier child may have used up the allowed number of assertions.
        if (nodes < MAX_NODES) below.children.push(visit(child, childPath(list, index), depth + 1));
        else tooMany = true;
      }
      if (node.children.length > allowed) tooMany = true;
    }
    if (node.child !== undefined) {
      if (nodes < MAX_NODES) below.child = visit(node.child, childPath(at, 'child'), depth + 1);
      else tooMany = true;
    }
    return below;
  };

  let tooMany = false;
  const contract = visit(input, path, 1);
  if (tooMany) {
    report({
      path,
      message: `A contract may hold ${MAX_NODES} assertions at most; this one has more, and only the first ${MAX_NODES} were checked.`,
    });
  }
  if (leftOut > 0) problems.push({ path, message: `${leftOut} more problems are not listed.` });
  // No problems were found, so every node passed its own schema and the whole is a valid contract.
  return problems.length === 0 ? { ok: true, contract: contract as Contract } : { ok: false, problems };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A list of a million invalid status codes would produce a million problems: one entry past the limit is enough. */
function withoutEndlessList(node: Record<string, unknown>): Record<string, unknown> {
  const list = node.status_in;
  return Array.isArray(list) && list.length > MAX_STATUSES
    ? { ...node, status_in: list.slice(0, MAX_STATUSES + 1) }
    : node;
}
