/** Two runs of one dataset version, item by item. */
import { useQuery } from '@tanstack/react-query';
import { comparisonQuery, runQuery } from '../api/queries.ts';
import { QueryState } from '../ui/states.tsx';
import { ComparisonView } from './comparison-view.tsx';

export function QuestionComparison({ a, b }: { a: string; b: string }) {
  const query = useQuery(comparisonQuery(a, b));
  const [runA, runB] = [useQuery(runQuery(a)).data, useQuery(runQuery(b)).data];
  return (
    <QueryState query={query} what="the comparison">
      {(comparison) => runA && runB && <ComparisonView comparison={comparison} a={runA} b={runB} />}
    </QueryState>
  );
}
