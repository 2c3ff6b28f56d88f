/** A contract's evidence in words, each line with its mark. */
import { contractLine } from '../../../src/view/texts.ts';
import { VerdictMark } from './tones.tsx';

export function ContractTree({ lines }: { lines: readonly string[] }) {
  if (lines.length === 0) return <p>No evidence was recorded.</p>;
  return (
    <ul className="v-contract">
      {lines.map(contractLine).map(({ depth, verdict, sentence }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place in the tree
        <li key={index} className={`v-depth-${depth}`}>
          {verdict && <VerdictMark verdict={verdict} />} {sentence}
        </li>
      ))}
    </ul>
  );
}
