import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Attempt, appendAttempt, EMPTY_LEDGER, failureKindOf, type LedgerState } from './ledger.ts';

const attempt: Attempt = { tool: 'interact', arguments: { ref: 'e3' }, status: 'error', failureKind: 'stale_ref' };

describe('appendAttempt', () => {
  it('writes one JSON line with every field', () => {
    const { node, line, state } = appendAttempt(EMPTY_LEDGER, {
      ...attempt,
      status: 'recovered',
      recoveryTool: 'read_page',
      reward: { score: 0.2, classification: 'progress' },
    });
    expect(node).toEqual({
      id: 'n1',
      parent: null,
      tool: 'interact',
      arguments: 'ref=e3',
      status: 'recovered',
      failure: 'stale_ref:interact:35f8b844',
      recoveryTool: 'read_page',
      reward: { score: 0.2, classification: 'progress' },
    });
    expect(line).toBe(`${JSON.stringify(node)}\n`);
    expect(state).toEqual({ nodes: 1, bytes: line?.length, last: 'n1', dropped: 0 });
  });

  it('follows the latest node by default', () => {
    const first = appendAttempt(EMPTY_LEDGER, attempt);
    expect(appendAttempt(first.state, attempt).node.parent).toBe('n1');
    expect(appendAttempt(first.state, { ...attempt, parent: null }).node.parent).toBeNull();
  });

  it('gives the same failure the same fingerprint, and another ref another', () => {
    const of = (ref: string) => appendAttempt(EMPTY_LEDGER, { ...attempt, arguments: { ref } }).node.failure ?? '';
    expect(of('e3')).toBe(of('e3'));
    expect(of('e4')).not.toBe(of('e3'));
    expect(failureKindOf(of('e3'))).toBe('stale_ref');
  });

  it('a fingerprint does not depend on what was typed', () => {
    const of = (text: string) =>
      appendAttempt(EMPTY_LEDGER, { ...attempt, arguments: { ref: 'e3', text } }).node.failure;
    expect(of('hunter2')).toBe(of('letmein'));
  });

  it('drops and counts an attempt that exceeds the number of nodes or bytes', () => {
    const limits = { nodes: 2, nodeBytes: 2048, fileBytes: 10_000 };
    let state: LedgerState = EMPTY_LEDGER;
    const lines = [1, 2, 3].map(() => {
      const step = appendAttempt(state, attempt, { limits });
      state = step.state;
      return step.line;
    });
    expect(lines.map((line) => line !== undefined)).toEqual([true, true, false]);
    expect(state).toMatchObject({ nodes: 2, dropped: 1, last: 'n2' });
    const small = appendAttempt(EMPTY_LEDGER, attempt, { limits: { ...limits, fileBytes: 50 } });
    expect(small).toMatchObject({ line: undefined, state: { nodes: 0, dropped: 1 } });
  });

  it('drops a node that does not fit even when shortened', () => {
    const limits = { nodes: 5, nodeBytes: 300, fileBytes: 900 };
    expect(appendAttempt(EMPTY_LEDGER, { ...attempt, parent: 'p'.repeat(400) }, { limits }).line).toBeUndefined();
  });

  it('stays within its limits, and never throws, for any attempts', () => {
    const limits = { nodes: 5, nodeBytes: 300, fileBytes: 900 };
    const any = fc.record({
      tool: fc.string({ unit: 'binary' }),
      arguments: fc.anything(),
      status: fc.constantFrom('success' as const, 'aborted' as const),
    });
    fc.assert(
      fc.property(fc.array(any, { maxLength: 12 }), (attempts) => {
        let state: LedgerState = EMPTY_LEDGER;
        let bytes = 0;
        for (const one of attempts) {
          const step = appendAttempt(state, one, { limits });
          const size = Buffer.byteLength(step.line ?? '');
          expect(size).toBeLessThanOrEqual(limits.nodeBytes);
          if (step.line !== undefined) expect(JSON.parse(step.line)).toEqual(step.node);
          bytes += size;
          state = step.state;
        }
        expect(state.bytes).toBe(bytes);
        expect(bytes).toBeLessThanOrEqual(limits.fileBytes);
        expect(state.nodes).toBeLessThanOrEqual(limits.nodes);
        expect(state.nodes + state.dropped).toBe(attempts.length);
      }),
    );
  });

  it('shortens a long summary rather than losing the node', () => {
    const long = Object.fromEntries(Array.from({ length: 16 }, (_, i) => [`f${i}`, 'wörd '.repeat(40)]));
    const { line, node } = appendAttempt(
      EMPTY_LEDGER,
      { ...attempt, arguments: long },
      { limits: { nodes: 1, nodeBytes: 400, fileBytes: 400 } },
    );
    expect(line).toBeDefined();
    expect(node.arguments.endsWith('…')).toBe(true);
  });

  it('keeps secrets of the task out of every field', () => {
    const { line } = appendAttempt(
      EMPTY_LEDGER,
      {
        tool: 'do-s3cr3t',
        arguments: { ref: 's3cr3t' },
        status: 'error',
        failureKind: 's3cr3t',
        recoveryTool: 's3cr3t',
      },
      { secrets: ['s3cr3t'] },
    );
    expect(line).not.toContain('s3cr3t');
  });
});
