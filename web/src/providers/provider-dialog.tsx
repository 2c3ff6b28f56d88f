/** Creates a provider, or edits one. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ApiProblem, type Request } from '../../../src/server/client.ts';
import { call } from '../api/client.ts';
import type { Provider } from '../api/queries.ts';
import { useAnnounce } from '../shell/announcer.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { SelectField, TextField } from '../ui/field.tsx';
import { Failure } from '../ui/problem.tsx';

type Kind = Provider['kind'];
const KINDS: readonly { value: Kind; name: string; key: string }[] = [
  { value: 'openai', name: 'OpenAI', key: 'OPENAI_API_KEY' },
  { value: 'anthropic', name: 'Anthropic', key: 'ANTHROPIC_API_KEY' },
  { value: 'google', name: 'Google', key: 'GEMINI_API_KEY' },
  { value: 'openai-compatible', name: 'OpenAI-compatible', key: '' },
  { value: 'ollama', name: 'Ollama', key: '' },
];

export function ProviderDialog({ provider, onClose }: { provider?: Provider; onClose: () => void }) {
  const client = useQueryClient();
  const announce = useAnnounce();
  const [form, setForm] = useState({
    name: provider?.name ?? '',
    kind: provider?.kind ?? ('openai' as Kind),
    base_url: provider?.base_url ?? '',
    key_env: provider?.key_env ?? '',
  });
  const change = (part: Partial<typeof form>) => setForm({ ...form, ...part });
  const save = useMutation({
    mutationFn: () => {
      const json: Request<'post', '/providers'>['json'] = {
        name: form.name,
        kind: form.kind,
        base_url: form.base_url.trim() || null,
        key_env: form.key_env.trim() || null,
      };
      return provider
        ? call('put', '/providers/{id}', { params: { id: provider.id }, json })
        : call('post', '/providers', { json });
    },
    onSuccess: async ({ name }) => {
      announce(`${name} is saved.`);
      await client.invalidateQueries({ queryKey: ['providers'] });
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  const issues = save.error instanceof ApiProblem ? save.error.issues : [];
  const errorOf = (field: string) => issues.find(({ path }) => path === field)?.message;
  const usual = KINDS.find(({ value }) => value === form.kind);
  return (
    <Dialog title={provider ? `Edit ${provider.name}` : 'Add a provider'} onClose={onClose}>
      <form className="form" onSubmit={submit}>
        <TextField
          label="Name"
          required
          maxLength={200}
          value={form.name}
          error={errorOf('name')}
          onChange={(name) => change({ name })}
        />
        <SelectField
          label="Kind"
          value={form.kind}
          options={KINDS}
          // An address that was filled in for the old kind would be wrong for the new one.
          onChange={(kind) => change({ kind, base_url: '' })}
        />
        <TextField
          label={form.kind === 'openai-compatible' ? 'Base URL' : 'Base URL (optional)'}
          type="url"
          required={form.kind === 'openai-compatible'}
          placeholder="https://api.example.com/v1"
          value={form.base_url}
          error={errorOf('base_url')}
          hint={
            <>
              The address of the API up to its version, such as https://api.example.com/v1. If it is empty, the usual
              one of this kind is used. Models on this machine need <code>waymark serve --allow-local-providers</code>.
            </>
          }
          onChange={(base_url) => change({ base_url })}
        />
        <TextField
          label="Name of the key's environment variable"
          pattern="[A-Za-z_][A-Za-z0-9_]*"
          title="Letters, digits and underscores; a name, not a key"
          autoComplete="off"
          spellCheck={false}
          placeholder={usual?.key || undefined}
          value={form.key_env}
          error={errorOf('key_env')}
          hint="The name only, never the key. The server reads the key from its own environment when it calls; it is not stored, logged or shown. Leave it empty where no key is needed."
          onChange={(key_env) => change({ key_env })}
        />
        {save.error && <Failure error={save.error} />}
        <div className="dialog-actions">
          <Button onClick={onClose}>Close</Button>
          <Button type="submit" kind="primary" busy={save.isPending}>
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
