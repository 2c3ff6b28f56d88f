/** The import of captures as a dialog, for the header of every page. It closes when a link in it leads elsewhere. */
import { useLocation } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { CaptureImport } from './capture-import.tsx';
import './browser-harness.css';

export default function ImportDialog({ onClose }: { onClose: () => void }) {
  const { pathname } = useLocation();
  const openedAt = useRef(pathname);
  useEffect(() => {
    if (pathname !== openedAt.current) onClose();
  }, [pathname, onClose]);
  return (
    <Dialog title="Import a capture" onClose={onClose}>
      <p className="muted">
        Choose the file that the Browser Harness downloaded on a chat page. It becomes a run, and is scored like any
        other.
      </p>
      <CaptureImport />
      <div className="dialog-actions">
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  );
}
