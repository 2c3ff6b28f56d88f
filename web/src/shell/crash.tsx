/** Instead of a page that threw. The rest of the app stays. */
import type { ErrorComponentProps } from '@tanstack/react-router';
import { Failure } from '../ui/problem.tsx';
import { Page } from './page.tsx';

export function Crash({ error, reset }: ErrorComponentProps) {
  return (
    <Page title="This page could not be shown">
      <Failure error={error} onRetry={reset} />
    </Page>
  );
}
