/** A finished pack: until when it is valid, what was left out, and the ways to take it to the page. */
import { runtime } from 'virtual:waymark-page';
import { rawScript } from '../../../src/capture/formats.ts';
import { Button } from '../ui/button.tsx';
import { bytes, count } from '../ui/format.ts';
import { fileName, saveFile } from '../ui/save-file.ts';
import { WarningList } from '../ui/warning-list.tsx';
import { BookmarkletOutput } from './bookmarklet-output.tsx';
import { CopyButton } from './copy-button.tsx';
import { Expiry } from './expiry.tsx';
import type { Made } from './make-pack.ts';

const REASONS: Readonly<Record<string, string>> = {
  variation: 'a variation of another item',
  not_text: 'not text only',
};

export function PackOutput({ made }: { made: Made }) {
  const { answer, forPage, preset } = made;
  const { scoring, excluded, warnings, items } = answer;
  const { target } = forPage;
  const script = rawScript(forPage, runtime);
  const name = fileName('browser-harness', target.preset, answer.dataset.name);
  return (
    <>
      <dl className="harness-facts">
        <div>
          <dt>Prompts</dt>
          <dd>{count(items.length, 'item')}</dd>
        </div>
        <div>
          <dt>Page</dt>
          <dd>
            {target.display_name} <span className="muted">{target.origin}</span>
          </dd>
        </div>
        <div>
          <dt>Scoring</dt>
          <dd>
            {scoring.programmatic} by checkers, {scoring.judge_required} by the judge, {scoring.unscorable} not scored
          </dd>
        </div>
        <div>
          <dt>Expiry</dt>
          <dd>
            <Expiry at={answer.expires_at} />
          </dd>
        </div>
      </dl>
      <WarningList warnings={warnings} />
      {excluded.length > 0 && (
        <details className="harness-details">
          <summary>{count(excluded.length, 'item')} left out</summary>
          <ul className="harness-details-body">
            {excluded.map(({ id, reason }) => (
              <li key={id}>
                <span className="mono">{id}</span>: {REASONS[reason] ?? reason} <code className="code">{reason}</code>
              </li>
            ))}
          </ul>
        </details>
      )}
      <div className="harness-box">
        <h3>Raw script</h3>
        <p>
          {bytes(script.length)}, self-contained. On the chat page, open the developer tools’ console, paste it, press
          Enter.
        </p>
        <textarea
          className="mono"
          readOnly
          rows={4}
          aria-label="The raw script"
          value={script}
          onFocus={(event) => event.target.select()}
        />
        <div className="actions">
          <CopyButton text={script} what="Script">
            Copy the script
          </CopyButton>
          <Button onClick={() => saveFile(`${name}.js`, script, 'text/javascript')}>Download the script</Button>
        </div>
      </div>
      <BookmarkletOutput made={made} name={name} />
      <p>
        Open{' '}
        <a
          href={preset.fixture?.origin === target.origin ? preset.fixture.url : target.origin}
          target="_blank"
          rel="noreferrer"
        >
          {preset.fixture?.origin === target.origin ? 'the fixture page' : target.display_name}
        </a>
        , sign in if it asks, and run it there. Then import what it downloads below.
      </p>
    </>
  );
}
