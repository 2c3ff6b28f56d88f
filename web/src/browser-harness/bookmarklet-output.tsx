import { runtime } from 'virtual:waymark-page';
import {
  bookmarklet,
  bookmarkletLength,
  bookmarkletLoader,
  MAX_BOOKMARKLET,
  packFile,
} from '../../../src/capture/formats.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { saveFile } from '../ui/save-file.ts';
import { CopyButton } from './copy-button.tsx';
import { DragLink } from './drag-link.tsx';
import type { Made } from './make-pack.ts';
import { SizeMeters } from './size-meters.tsx';

export function BookmarkletOutput({ made, name }: { made: Made; name: string }) {
  const { answer, forPage } = made;
  const whole = bookmarklet(forPage, runtime);
  const length = bookmarkletLength(forPage, runtime);
  const address = whole ?? bookmarkletLoader(runtime);
  const label = `${answer.dataset.name} → ${forPage.target.display_name}`;
  return (
    <div className="harness-box">
      <h3>Bookmarklet</h3>
      <p>Drag it to the bookmarks bar, open the chat page, and click it there.</p>
      {whole === undefined && (
        <Notice tone="warning" title="The pack is too large for a bookmarklet.">
          <p>
            {length.toLocaleString('en')} characters, and {MAX_BOOKMARKLET.toLocaleString('en')} are safe everywhere.
            This bookmarklet holds the script only: on the chat page it asks for the pack file.
          </p>
          <Button onClick={() => saveFile(`${name}.pack.json`, packFile(forPage), 'application/json')}>
            Download the pack file
          </Button>
        </Notice>
      )}
      <div className="actions">
        <DragLink address={address} name={whole === undefined ? 'Browser Harness' : label} />
        <CopyButton text={address} what="Address">
          Copy the address
        </CopyButton>
      </div>
      <p className="hint">Without a mouse: bookmark any page, edit the bookmark, and paste the address there.</p>
      <SizeMeters length={length} />
    </div>
  );
}
