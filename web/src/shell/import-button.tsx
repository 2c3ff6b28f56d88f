/** Imports captures from any page. The dialog is loaded when it is first opened. */
import { lazy, Suspense, useState } from 'react';
import { loadCode } from '../api/load-code.ts';
import { Button } from '../ui/button.tsx';

const ImportDialog = lazy(() => loadCode(() => import('../browser-harness/import-dialog.tsx')));

export function ImportButton() {
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="import-button">
      <Button small aria-label="Import a capture" onClick={() => setOpen(true)}>
        <span>
          Import<span className="wide-only"> a capture</span>
        </span>
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <ImportDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </div>
  );
}
