import { useQuery } from '@tanstack/react-query';
import { providersQuery } from '../api/queries.ts';
import { JudgeChoice } from '../ui/judge-choice.tsx';
import type { ChangeLaunch, LaunchDraft } from './launch-draft.ts';

/** Rendered only when an item needs one. */
export function JudgeFields({ draft, change }: { draft: LaunchDraft; change: ChangeLaunch }) {
  const providers = useQuery(providersQuery()).data?.providers ?? [];
  const { judge } = draft;
  return (
    <section className="panel" aria-labelledby="launch-judge">
      <h2 id="launch-judge">Judge</h2>
      <p className="muted">Some of these items have criteria instead of a checker. A model scores them.</p>
      <JudgeChoice
        judge={judge}
        providers={providers}
        labels={{ provider: 'Judge’s provider', model: 'Judge’s model' }}
        onChange={(next) => change({ judge: { ...judge, ...next } })}
      />
    </section>
  );
}
