/** Uploads a dataset from a file: JSONL or a bundle. It is imported completely or not at all, and problems are listed by line. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { call } from '../api/client.ts';
import type { Dataset } from '../api/queries.ts';
import { useAnnounce } from '../shell/announcer.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field, TextField } from '../ui/field.tsx';
import { bytes, count } from '../ui/format.ts';
import { Failure } from '../ui/problem.tsx';

export interface UploadDialogProps {
  /** Its items are replaced; without it a new dataset is made. */
  dataset?: Dataset;
  onClose: () => void;
}

export function UploadDialog({ dataset, onClose }: UploadDialogProps) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const announce = useAnnounce();
  const [file, setFile] = useState<File>();
  const [name, setName] = useState('');
  const isBundle = file?.name.endsWith('.zip') ?? false;
  const upload = useMutation({
    mutationFn: async (chosen: File): Promise<Dataset> => {
      if (dataset) return await call('put', '/datasets/{id}/items', { params: { id: dataset.id }, file: chosen });
      const query = name.trim() === '' ? {} : { name: name.trim() };
      return (await call('post', '/datasets/import', { query, file: chosen })).dataset;
    },
    onSuccess: async ({ id, item_count }) => {
      announce(`${count(item_count, 'item')} stored.`);
      await client.invalidateQueries({ queryKey: ['datasets'] });
      onClose();
      if (!dataset) await navigate({ to: '/datasets/$id', params: { id } });
    },
  });
  const choose = (chosen: File | undefined) => {
    setFile(chosen);
    upload.reset();
    if (chosen && name === '' && !chosen.name.endsWith('.zip')) setName(chosen.name.replace(/\.\w+$/, ''));
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (file) upload.mutate(file);
  };
  return (
    <Dialog title={dataset ? `Replace the items of ${dataset.name}` : 'Upload a dataset'} onClose={onClose}>
      <form className="form" onSubmit={submit}>
        {dataset && <p className="muted">This makes a new version. Runs keep the items that they were made of.</p>}
        <Field
          label="File"
          hint={
            file
              ? `${file.name}, ${bytes(file.size)}`
              : 'JSONL, one item a line, or a bundle (.eval752.zip). Up to 64 MB.'
          }
        >
          {(wired) => (
            <input
              {...wired}
              type="file"
              required
              accept=".jsonl,.ndjson,.json,.txt,.zip"
              onChange={(event) => choose(event.target.files?.[0])}
            />
          )}
        </Field>
        {!dataset && (
          <TextField
            label={isBundle ? 'Name (the bundle has one)' : 'Name'}
            required={!isBundle}
            maxLength={200}
            value={name}
            onChange={setName}
          />
        )}
        {upload.error && <Failure error={upload.error} />}
        <div className="dialog-actions">
          <Button onClick={onClose}>Close</Button>
          <Button type="submit" kind="primary" busy={upload.isPending}>
            {upload.isPending ? 'Uploading …' : 'Upload'}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
