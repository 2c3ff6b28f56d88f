/** Renames a run, and changes its tags. What was run and how it was scored stays as it is. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { call } from '../api/client.ts';
import { type RunDetail, tagsQuery } from '../api/queries.ts';
import { useAnnounce } from '../shell/announcer.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/field.tsx';
import { Failure } from '../ui/problem.tsx';
import { runSubject } from './run-name.ts';
import { splitTags } from './split-tags.ts';

export function EditButton({ run }: { run: RunDetail }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button small onClick={() => setOpen(true)}>
        Rename or tag
      </Button>
      {open && <EditDialog run={run} onClose={() => setOpen(false)} />}
    </>
  );
}

function EditDialog({ run, onClose }: { run: RunDetail; onClose: () => void }) {
  const client = useQueryClient();
  const announce = useAnnounce();
  const known = useQuery(tagsQuery()).data?.tags ?? [];
  const [label, setLabel] = useState(run.label);
  const [tags, setTags] = useState(run.tags.join(', '));
  const edit = useMutation({
    mutationFn: () => call('patch', '/runs/{id}', { params: { id: run.id }, json: { label, tags: splitTags(tags) } }),
    onSuccess: async () => {
      announce('The run was changed.');
      await client.invalidateQueries({ queryKey: ['runs'] });
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    edit.mutate();
  };
  return (
    <Dialog title="Rename or tag this run" onClose={onClose}>
      <form className="form" onSubmit={submit}>
        <TextField
          label="Label"
          maxLength={200}
          value={label}
          hint={`Without a label, the run is called “${runSubject(run)}”.`}
          onChange={setLabel}
        />
        <TextField
          label="Tags"
          value={tags}
          autoComplete="off"
          hint={
            known.length === 0
              ? 'Separated by commas.'
              : `Separated by commas. In use: ${known
                  .slice(0, SHOWN)
                  .map(({ tag }) => tag)
                  .join(', ')}${known.length > SHOWN ? ', …' : ''}.`
          }
          onChange={setTags}
        />
        {edit.error && <Failure error={edit.error} />}
        <div className="dialog-actions">
          <Button onClick={onClose}>Close</Button>
          <Button type="submit" kind="primary" busy={edit.isPending}>
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

const SHOWN = 20;
