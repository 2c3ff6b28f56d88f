/** Imports captures, by drag and drop or by a file button. The files are imported one after the other, and each has its own result. */
import { useQueryClient } from '@tanstack/react-query';
import { type DragEvent, useRef, useState } from 'react';
import { asProblem } from '../api/as-problem.ts';
import { call } from '../api/client.ts';
import { useAnnounce } from '../shell/announcer.tsx';
import { Field } from '../ui/field.tsx';
import { bytes } from '../ui/format.ts';
import { type Imported, ImportResult } from './import-result.tsx';
import { Part } from './part.tsx';

interface FileResult {
  readonly key: number;
  readonly file: string;
  readonly imported?: Imported;
  readonly error?: unknown;
}

export function ImportPart() {
  const announce = useAnnounce();
  const queries = useQueryClient();
  const [results, setResults] = useState<readonly FileResult[]>([]);
  const [underWay, setUnderWay] = useState<readonly File[]>([]);
  const [isOver, setOver] = useState(false);
  const next = useRef(0);

  const take = async (files: readonly File[]) => {
    for (const [index, file] of files.entries()) {
      setUnderWay(files.slice(index));
      announce(`Importing ${file.name} …`);
      const key = next.current++;
      try {
        const imported = await call('post', '/browser-harness/imports', { file });
        setResults((before) => [{ key, file: file.name, imported }, ...before]);
        announce(`${file.name}: ${'duplicate' in imported ? 'imported before' : 'imported'}.`);
        await queries.invalidateQueries({ queryKey: ['runs'] });
      } catch (error) {
        setResults((before) => [{ key, file: file.name, error }, ...before]);
        announce(`${file.name} was refused: ${asProblem(error).message}`);
      }
    }
    setUnderWay([]);
  };
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    void take([...event.dataTransfer.files]);
  };
  const onDragOver = (event: DragEvent) => {
    event.preventDefault();
    setOver(true);
  };
  const [current] = underWay;
  return (
    <Part
      number={6}
      name="Import"
      about="Choose the file that the script downloaded. It becomes a run, and is scored like any other."
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the file button inside does the same by keyboard */}
      <div
        className={`drop-zone${isOver ? ' drop-zone-over' : ''}`}
        onDragEnter={onDragOver}
        onDragOver={onDragOver}
        onDragLeave={() => setOver(false)}
        onDrop={onDrop}
      >
        <p className="notice-title">Drop captures here</p>
        <Field label="or choose files" hint="*.eval752.zip, or the JSON that the page offers when it can’t save one.">
          {(wired) => (
            <input
              {...wired}
              type="file"
              multiple
              accept=".zip,.json,application/zip,application/json"
              onChange={(event) => {
                void take([...(event.target.files ?? [])]);
                // The same file once more is a choice too.
                event.target.value = '';
              }}
            />
          )}
        </Field>
        {current && (
          <div className="harness-progress">
            <progress aria-label="Importing" />
            <span>
              Importing {current.name} ({bytes(current.size)})
              {underWay.length > 1 && `, ${underWay.length - 1} more after it`} …
            </span>
          </div>
        )}
      </div>
      {results.map(({ key, ...one }) => (
        <ImportResult key={key} {...one} />
      ))}
    </Part>
  );
}
