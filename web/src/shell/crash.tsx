/** Instead of a page that threw. The rest of the app stays. Who is not signed in any more is led to the page for that, and from there back. */
import type { ErrorComponentProps } from '@tanstack/react-router';
import { useEffect } from 'react';
import { asProblem } from '../api/as-problem.ts';
import { signInAddress } from '../api/sign-in-address.ts';
import { Failure } from '../ui/problem.tsx';
import { Page } from './page.tsx';

export function Crash({ error, reset }: ErrorComponentProps) {
  const isSignedOut = asProblem(error).code === 'token_required';
  useEffect(() => {
    if (isSignedOut) location.replace(signInAddress());
  }, [isSignedOut]);
  return (
    <Page title="This page could not be shown">
      <Failure error={error} onRetry={reset} />
    </Page>
  );
}
