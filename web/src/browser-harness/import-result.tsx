import { Link } from '@tanstack/react-router';
import type { Answer } from '../../../src/server/client.ts';
import { count } from '../ui/format.ts';
import { Failure } from '../ui/problem.tsx';
import { WarningList } from '../ui/warning-list.tsx';

export type Imported = Extract<Answer<'post', '/browser-harness/imports'>, object>;

export function ImportResult({ file, imported, error }: { file: string; imported?: Imported; error?: unknown }) {
  return (
    <section className="harness-import" aria-label={file}>
      <h3 className="mono">{file}</h3>
      {imported ? <ImportSummary {...imported} /> : <Failure error={error} />}
    </section>
  );
}

function ImportSummary(imported: Imported) {
  const { run_id, provider_name, provider_reused, scoring_queued, counts, warnings } = imported;
  const isDuplicate = 'duplicate' in imported;
  return (
    <>
      <div className={`notice ${isDuplicate ? '' : 'notice-good'}`}>
        <p className="notice-title">
          {isDuplicate ? 'This capture was imported before. No second run was created.' : 'Imported as a run.'}
        </p>
        <p>
          {provider_name} ({provider_reused ? 'existing provider' : 'new provider'}), self-reported capture.{' '}
          {scoring_queued ? 'Scoring is queued.' : 'Nothing is queued for scoring.'}
        </p>
        <Link to="/runs/$id" params={{ id: run_id }}>
          Open the run
        </Link>
      </div>
      <dl className="harness-facts">
        {(['expected', 'received', 'answered', 'errored', 'missing'] as const).map((name) => (
          <div key={name}>
            <dt>{NAMES[name]}</dt>
            <dd>{count(counts[name], 'item')}</dd>
          </div>
        ))}
      </dl>
      <WarningList warnings={warnings} />
    </>
  );
}

const NAMES = {
  expected: 'In the pack',
  received: 'Received',
  answered: 'Answered',
  errored: 'With an error',
  missing: 'Missing',
} as const;
