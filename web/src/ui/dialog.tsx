/** A modal dialog: the native one, which keeps the focus inside and gives it back. */
import { type ReactNode, type SyntheticEvent, useEffect, useId, useRef } from 'react';

export interface DialogProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
}

/** Render it to open it: `{asking && <Dialog title="…" onClose={…}>…</Dialog>}`. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const element = dialog.current;
    const opener = document.activeElement;
    element?.showModal();
    return () => {
      element?.close();
      // Taken out of the page, it can't give the focus back itself.
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, []);
  // Escape. Not the close event: taking the dialog out of the page fires that too.
  const cancel = (event: SyntheticEvent) => {
    event.preventDefault();
    onClose();
  };
  return (
    <dialog ref={dialog} className="dialog" aria-labelledby={id} onCancel={cancel}>
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  );
}
