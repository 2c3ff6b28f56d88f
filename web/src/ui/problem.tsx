/** A refusal or failure: what happened, its code, what to do, and every issue one by one. */
import { asProblem } from '../api/as-problem.ts';
import { signInAddress } from '../api/sign-in-address.ts';
import { Button } from './button.tsx';

export interface FailureProps {
  error: unknown;
  onRetry?: () => void;
}

const SHOWN = 100;

export function Failure({ error, onRetry }: FailureProps) {
  const { message, code, hint, issues } = asProblem(error);
  return (
    <div className="notice notice-error" role="alert">
      <p className="notice-title">
        {message} <code className="code">{code}</code>
      </p>
      {hint && <p>{hint}</p>}
      {issues.length > 0 && (
        <ul className="issues">
          {issues.slice(0, SHOWN).map(({ path, code: issueCode, message: text, item_id }) => (
            <li key={`${path} ${issueCode} ${text}`}>
              {path !== '' && <strong className="issue-path">{path}</strong>} {text}{' '}
              <code className="code">{issueCode}</code>
              {item_id !== undefined && <span className="muted"> item {item_id}</span>}
            </li>
          ))}
          {issues.length > SHOWN && <li className="muted">and {issues.length - SHOWN} more</li>}
        </ul>
      )}
      {code === 'token_required' && (
        <a className="button button-primary" href={signInAddress()}>
          Sign in
        </a>
      )}
      {onRetry && (
        <Button onClick={onRetry} small>
          Try again
        </Button>
      )}
    </div>
  );
}
