/** Appends to the journal named by its argument until it is killed or fails, and prints the number of each acknowledged event. */
import { writeSync } from 'node:fs';
import { Journal } from '../../src/journal/index.ts';
import { startOf } from './documented-events.ts';

const [file = ''] = process.argv.slice(2);
const journal = Journal.create(file);
try {
  journal.append(startOf());
  for (let n = 1; ; n++) {
    // Mostly small events; sometimes one so long that a kill can interrupt its write.
    const text = 'ß'.repeat(n % 4 === 0 ? 250_000 : n % 50);
    const { seq } = journal.append({ type: 'message', message: { type: 'user', content: text } });
    writeSync(1, `${seq}\n`);
  }
} catch (error) {
  writeSync(2, JSON.stringify(error));
  await journal.close();
}
