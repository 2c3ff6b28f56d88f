/** Asks before something that can't be taken back. */
import { type ReactNode, useState } from 'react';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Failure } from './problem.tsx';

export interface ConfirmProps {
  /** On the button, and again in the dialog. */
  action: string;
  title: string;
  children: ReactNode;
  onConfirm: () => Promise<unknown>;
  small?: boolean;
  /** On the button that does nothing. */
  keep?: string;
  /** Beside `action` for those who hear the button out of its row. */
  of?: string;
  /** Of the button; something that can't be taken back is a danger. */
  kind?: 'plain' | 'danger';
}

export function ConfirmButton(props: ConfirmProps) {
  const { action, title, children, onConfirm, small = false, keep = 'Keep', of, kind = 'danger' } = props;
  const [open, setOpen] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const confirm = async () => {
    setBusy(true);
    setError(undefined);
    try {
      await onConfirm();
      setOpen(false);
    } catch (thrown) {
      setError(thrown);
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Button kind={kind} small={small} aria-label={of && `${action} ${of}`} onClick={() => setOpen(true)}>
        {action}
      </Button>
      {open && (
        <Dialog title={title} onClose={() => setOpen(false)}>
          <div>{children}</div>
          {error !== undefined && <Failure error={error} />}
          <div className="dialog-actions">
            <Button onClick={() => setOpen(false)}>{keep}</Button>
            <Button kind={kind === 'danger' ? 'danger' : 'primary'} busy={busy} onClick={() => void confirm()}>
              {action}
            </Button>
          </div>
        </Dialog>
      )}
    </>
  );
}
