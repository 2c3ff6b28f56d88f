/** One call to a provider: does it answer, how quickly, and what. */
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Answer } from '../../../src/server/client.ts';
import { call } from '../api/client.ts';
import type { Provider } from '../api/queries.ts';
import { useAnnounce } from '../shell/announcer.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/field.tsx';
import { duration } from '../ui/format.ts';
import { Notice } from '../ui/notice.tsx';
import { Failure } from '../ui/problem.tsx';

export function SmokeDialog({ provider, onClose }: { provider: Provider; onClose: () => void }) {
  const announce = useAnnounce();
  const [model, setModel] = useState('');
  const smoke = useMutation({
    mutationFn: () => call('post', '/providers/{id}/smoke-test', { params: { id: provider.id }, json: { model } }),
    onSuccess: ({ ok, error }) =>
      announce(ok ? 'The model answered.' : `The model did not answer. ${error?.message ?? ''}`),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    smoke.mutate();
  };
  return (
    <Dialog title={`Test ${provider.name}`} onClose={onClose}>
      <form className="form" onSubmit={submit}>
        <p className="muted">Sends the model one short request and shows its reply.</p>
        <TextField label="Model" required maxLength={200} value={model} onChange={setModel} />
        {smoke.error && <Failure error={smoke.error} />}
        {smoke.data && !smoke.isPending && <Result result={smoke.data} />}
        <div className="dialog-actions">
          <Button onClick={onClose}>Close</Button>
          <Button type="submit" kind="primary" busy={smoke.isPending}>
            {smoke.isPending ? 'Testing …' : 'Test'}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function Result({ result }: { result: Answer<'post', '/providers/{id}/smoke-test'> }) {
  const { ok, reply, error, model, latency_ms } = result;
  if (!ok) {
    return (
      <Notice tone="error" title="The model did not answer">
        <p>
          {error?.message ?? 'It gave no reason.'} {error && <code className="code">{error.code}</code>}
        </p>
      </Notice>
    );
  }
  return (
    <Notice tone="good" title={`Answered in ${duration(latency_ms)}${model ? ` as ${model}` : ''}`}>
      <pre>{reply}</pre>
    </Notice>
  );
}
