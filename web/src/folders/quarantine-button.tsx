/** Quarantines the case of an attempt, in its task file: later runs count it apart until a date. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../api/client.ts';
import { useAnnounce } from '../shell/announcer.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/field.tsx';
import { Failure } from '../ui/problem.tsx';
import { folderActionsQuery } from './folder-queries.ts';

const MONTH_MS = 30 * 24 * 60 * 60 * 1_000;

/** Nothing where the case is not of a suite that the server offers. */
export function QuarantineButton({ id, caseId }: { id: string; caseId: string }) {
  const { data } = useQuery(folderActionsQuery(id));
  const [isOpen, setOpen] = useState(false);
  if (data?.suite == null) return null;
  return (
    <>
      <Button onClick={() => setOpen(true)}>Quarantine</Button>
      {isOpen && <QuarantineDialog {...{ id, caseId, suite: data.suite }} onClose={() => setOpen(false)} />}
    </>
  );
}

function QuarantineDialog(about: { id: string; caseId: string; suite: string; onClose: () => void }) {
  const { id, caseId, suite, onClose } = about;
  const announce = useAnnounce();
  const [reason, setReason] = useState('');
  const [until, setUntil] = useState(() => new Date(Date.now() + MONTH_MS).toISOString().slice(0, 10));
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const quarantine = async () => {
    setBusy(true);
    try {
      const json = { caseId, reason: reason.trim(), until };
      const { file } = await call('post', '/run-folders/{id}/quarantine', { params: { id }, json });
      announce(`${file} was changed.`);
      onClose();
    } catch (thrown) {
      setError(thrown);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog title={`Quarantine ${caseId}?`} onClose={onClose}>
      <div className="form">
        <p>
          Its task file in the suite {suite} is changed. Later runs still run it, and count it apart; this run stays as
          it is.
        </p>
        <TextField label="Reason" required value={reason} onChange={setReason} />
        <TextField label="Until" type="date" required value={until} onChange={setUntil} />
      </div>
      {error !== undefined && <Failure error={error} />}
      <div className="dialog-actions">
        <Button onClick={onClose}>Leave it</Button>
        <Button
          kind="primary"
          busy={busy}
          disabled={reason.trim() === '' || until === ''}
          onClick={() => void quarantine()}
        >
          Quarantine
        </Button>
      </div>
    </Dialog>
  );
}
