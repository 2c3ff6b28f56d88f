import { selectorTest } from 'virtual:waymark-page';
import { type Selectors, testBookmarklet, testScript } from '../../../src/capture/formats.ts';
import { CopyButton } from './copy-button.tsx';
import { DragLink } from './drag-link.tsx';

interface SelectorTestProps {
  origin: string;
  selectors: Selectors;
  hasIssues: boolean;
}

/** A script that shows on the chat page what the selectors match. It sends nothing. */
export function SelectorTestBox({ origin, selectors, hasIssues }: SelectorTestProps) {
  const test = { origin, selectors };
  return (
    <div className="harness-box">
      <h3>Test on the page</h3>
      <p>
        Shows, on the chat page, what each selector matches, and frames it. It writes nothing and sends nothing. Run it,
        then ask something by hand to see the parts that appear later.
      </p>
      {hasIssues && <p className="field-error">Some selectors above have problems; the test will name them too.</p>}
      <div className="actions">
        <DragLink address={testBookmarklet(test, selectorTest)} name="Test selectors" />
        <CopyButton text={testScript(test, selectorTest)} what="Test script">
          Copy the test script
        </CopyButton>
      </div>
    </div>
  );
}
