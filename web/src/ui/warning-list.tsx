import { Notice } from './notice.tsx';

interface Warning {
  code: string;
  message: string;
  item_ids?: readonly string[] | undefined;
}

const SHOWN = 20;

export function WarningList({ warnings }: { warnings: readonly Warning[] }) {
  if (warnings.length === 0) return null;
  return (
    <Notice tone="warning" title={warnings.length === 1 ? 'A warning' : `${warnings.length} warnings`}>
      <ul>
        {warnings.map(({ code, message, item_ids = [] }) => (
          <li key={`${code} ${message}`}>
            {message} <code className="code">{code}</code>
            {item_ids.length > 0 && (
              <span className="muted">
                {' '}
                {item_ids.slice(0, SHOWN).join(', ')}
                {item_ids.length > SHOWN && ` and ${item_ids.length - SHOWN} more`}
              </span>
            )}
          </li>
        ))}
      </ul>
    </Notice>
  );
}
