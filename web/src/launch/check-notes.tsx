import { count } from '../ui/format.ts';
import { Notice } from '../ui/notice.tsx';
import { Failure } from '../ui/problem.tsx';
import { WarningList } from '../ui/warning-list.tsx';
import type { LaunchCheck } from './use-launch-check.ts';

/** What a launch would ask and how it would be scored, or what is in its way. */
export function CheckNotes({ check: { verdict, error } }: { check: LaunchCheck }) {
  if (error) return <Failure error={error} />;
  if (!verdict) return null;
  if (!verdict.ready) {
    return (
      <Notice tone="error" title="This can’t be started yet">
        <ul>
          {verdict.blockers.map(({ code, message, fix }) => (
            <li key={code}>
              {message} {fix} <code className="code">{code}</code>
            </li>
          ))}
        </ul>
      </Notice>
    );
  }
  const { programmatic = 0, judge_required = 0, unscorable = 0 } = verdict.scoring ?? {};
  const parts = [
    programmatic > 0 && `${programmatic} scored by checkers`,
    judge_required > 0 && `${judge_required} by the judge`,
    unscorable > 0 && `${unscorable} not scored`,
  ].filter((part) => part !== false);
  return (
    <>
      <p>
        <strong>{count(verdict.items, 'item')}</strong> <span className="muted">{parts.join(', ')}</span>
      </p>
      <WarningList warnings={verdict.warnings} />
    </>
  );
}
