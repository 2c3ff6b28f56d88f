/** Requests, console lines, dialogs, downloads and popups of an attempt. */
import { useState } from 'react';
import type { AttemptView, LogEntry } from '../../../src/view/index.ts';
import { ScrollBox } from '../ui/scroll-box.tsx';
import { Panel } from './panel.tsx';
import { Tag } from './tones.tsx';

const KINDS = ['network', 'console', 'dialog', 'download', 'popup'] as const;
const NAMES: Readonly<Record<LogEntry['kind'], string>> = {
  network: 'Network',
  console: 'Console',
  dialog: 'Dialogs',
  download: 'Downloads',
  popup: 'Popups',
};

interface Props {
  attempt: AttemptView;
  onStep: (seq: number) => void;
}

export function LogPanel({ attempt: { log }, onStep }: Props) {
  const [kind, setKind] = useState<LogEntry['kind'] | 'all'>('all');
  const [onlyBad, setOnlyBad] = useState(false);
  const kinds = KINDS.filter((name) => log.entries.some((entry) => entry.kind === name));
  const shown = log.entries.filter((entry) => (kind === 'all' || entry.kind === kind) && (!onlyBad || entry.isBad));
  return (
    <Panel title="Network, console, dialogs" about={`${log.entries.length} entries`}>
      {log.entries.length > 0 && (
        <div className="v-tools">
          <label>
            Kind{' '}
            <select
              className="input"
              value={kind}
              onChange={(event) => setKind(event.target.value as LogEntry['kind'] | 'all')}
            >
              <option value="all">all</option>
              {kinds.map((name) => (
                <option key={name} value={name}>
                  {NAMES[name]}
                </option>
              ))}
            </select>
          </label>
          <label>
            <input type="checkbox" checked={onlyBad} onChange={(event) => setOnlyBad(event.target.checked)} /> only
            failures and errors
          </label>
        </div>
      )}
      {shown.length === 0 ? (
        <p className="muted">Nothing was recorded.</p>
      ) : (
        <ScrollBox label="Entries of the log" tall>
          <LogList entries={shown} label="Entries" onStep={onStep} />
        </ScrollBox>
      )}
      {log.leftOut > 0 && <p className="muted">{log.leftOut} more are not listed here.</p>}
    </Panel>
  );
}

interface ListProps {
  entries: readonly LogEntry[];
  label: string;
  onStep?: (seq: number) => void;
}

export function LogList({ entries, label, onStep }: ListProps) {
  return (
    <ul className="v-log" aria-label={label}>
      {entries.map(({ kind, text, isBad, seq, lane }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: entries are never reordered
        <li key={index} className={isBad ? 'v-bad' : undefined}>
          <Tag bad={isBad}>{kind}</Tag> {lane !== 'main' && <Tag>{lane}</Tag>} <span className="mono">{text}</span>{' '}
          {onStep && seq !== null && (
            <button type="button" className="v-plain" onClick={() => onStep(seq)}>
              at event {seq}
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}
