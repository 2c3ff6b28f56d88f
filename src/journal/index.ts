/**
 * The journal: `events.jsonl`, appended as events happen. It is the source of truth; everything else is folded from it.
 *
 * @example
 * await using journal = Journal.create('events.jsonl');
 * journal.append({ type: 'start', ...about });
 * journal.append({ type: 'stop', status: 'passed', reason: 'The contract passed.' });
 *
 * const calls = await foldJournal('events.jsonl', (count, event) => count + (event.type === 'tool_call' ? 1 : 0), 0);
 */

export { chainedText, HashChain, unchained } from './hash-chain.ts';
export { Journal } from './journal.ts';
export { errnoOf, fileNotWritten, isWriteFailure } from './journal-error.ts';
export { LedgerFile } from './ledger-file.ts';
export { putJson, putPieces, putText, writeWhole } from './put-file.ts';
export { type ReadChain, readChain } from './read-chain.ts';
export { foldJournal, readJournal, type TornLine } from './read-journal.ts';
export { readLastEvent, readLastHash } from './read-last-event.ts';
export { readMessages } from './read-messages.ts';
export { SideFile } from './side-file.ts';
export { Spool } from './spool.ts';
