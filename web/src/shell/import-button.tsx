/** Imports captures from any page. The dialog is loaded when it is first opened. */
import { lazy, Suspense, useState } from 'react';
import { Button } from '../ui/button.tsx';

const ImportDialog = lazy(() => import('../browser-harness/import-dialog.tsx'));

export function ImportButton() {
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="import-button">
      <Button small onClick={() => setOpen(true)}>
        Import a capture
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <ImportDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </div>
  );
}
