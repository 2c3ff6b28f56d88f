/** What can be done with a run of tasks: stop it, try again what did not pass, resume it, grade it again. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { AttemptRow } from '../../../src/view/index.ts';
import { call } from '../api/client.ts';
import { useAnnounce } from '../shell/announcer.tsx';
import { startChoicesQuery } from '../start/start-queries.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmButton } from '../ui/confirm.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { SelectField, TextField } from '../ui/field.tsx';
import { count } from '../ui/format.ts';
import { Failure } from '../ui/problem.tsx';
import { folderActionsQuery } from './folder-queries.ts';

interface Actions {
  id: string;
  isRunning: boolean;
  rows: readonly AttemptRow[];
}

export function FolderActions({ id, isRunning, rows }: Actions) {
  const { data } = useQuery(folderActionsQuery(id));
  const failed = rows.filter(({ tone }) => tone === 'bad' || tone === 'fault').length;
  const left = rows.filter(({ tone }) => tone === 'open' || tone === 'fault').length;
  const mayRetry = data?.allowed === true && (isRunning || data.isStartedHere);
  // Here and not beside its button: while a run is graded, a process writes it, and the button is gone.
  const [isGrading, setGrading] = useState(false);
  return (
    <>
      {mayRetry && failed > 0 && <RetryButton id={id} which="failed" cells={failed} />}
      {mayRetry && !isRunning && left > 0 && <RetryButton id={id} which="faults" cells={left} />}
      {data?.allowed && !isRunning && <Button onClick={() => setGrading(true)}>Grade again</Button>}
      {isGrading && <GradeDialog id={id} onClose={() => setGrading(false)} />}
      {isRunning && <StopButton id={id} />}
    </>
  );
}

const RETRIES = {
  failed: { action: 'Retry failed', title: 'Try again what did not pass?' },
  faults: { action: 'Resume', title: 'Resume this run?' },
} as const;

function RetryButton({ id, which, cells }: { id: string; which: 'failed' | 'faults'; cells: number }) {
  const announce = useAnnounce();
  const client = useQueryClient();
  return (
    <ConfirmButton
      {...RETRIES[which]}
      kind="plain"
      keep="Leave it"
      onConfirm={async () => {
        await call('post', '/run-folders/{id}/retry', { params: { id }, json: { which } });
        announce(`${count(cells, 'case')} will be tried again.`);
        void client.invalidateQueries({ queryKey: ['folders'] });
      }}
    >
      <p>
        {count(cells, 'cell')} will get a new attempt. Earlier attempts stay with their evidence, and the last finished
        one counts
        {which === 'failed'
          ? ', also where the agent itself had failed: the result is then better than at first try.'
          : '.'}
      </p>
    </ConfirmButton>
  );
}

function StopButton({ id }: { id: string }) {
  const announce = useAnnounce();
  return (
    <ConfirmButton
      action="Stop the run"
      keep="Let it run"
      title="Stop this run?"
      onConfirm={async () => {
        await call('post', '/run-folders/{id}/stop', { params: { id } });
        announce('The run was asked to stop.');
      }}
    >
      <p>Attempts that go on are ended and kept. The run can be resumed, by the command that began it or from here.</p>
    </ConfirmButton>
  );
}

const ONLY = [
  { value: '', name: 'all attempts' },
  { value: 'failed', name: 'those that failed' },
  { value: 'passed', name: 'those that passed' },
  { value: 'ungraded', name: 'those without a verdict' },
] as const;

function GradeDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const { data: choices } = useQuery(startChoicesQuery());
  const client = useQueryClient();
  const [only, setOnly] = useState<(typeof ONLY)[number]['value']>('');
  const [grader, setGrader] = useState('');
  const [judgeModel, setJudge] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const [told, setTold] = useState<string>();
  const grade = async () => {
    setBusy(true);
    setError(undefined);
    try {
      const json = {
        ...(only === '' ? {} : { only }),
        ...(grader === '' ? {} : { grader: grader as 'trajectory' }),
        ...(judgeModel.trim() === '' ? {} : { judgeModel: judgeModel.trim() }),
      };
      const { graded } = await call('post', '/run-folders/{id}/grade', { params: { id }, json });
      setTold(
        graded.length === 0
          ? 'Nothing was graded: no case names a grader. Choose one.'
          : graded.map((one) => `${one.grader}: ${one.text}`).join('; '),
      );
      void client.invalidateQueries({ queryKey: ['folders'] });
    } catch (thrown) {
      setError(thrown);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog title="Grade again" onClose={onClose}>
      <div className="form">
        <p>
          Grades are appended. The verdict that decides stays that of the contract, unless the case names another
          grader.
        </p>
        <SelectField label="Attempts" value={only} options={ONLY} onChange={setOnly} />
        <SelectField
          label="Grader"
          value={grader}
          options={[
            { value: '', name: 'what the cases name' },
            ...(choices?.graders ?? []).map((value) => ({ value, name: value })),
          ]}
          onChange={setGrader}
        />
        <TextField
          label="Model that judges"
          autoComplete="off"
          spellCheck={false}
          value={judgeModel}
          hint="For graders that ask one, such as openai:gpt-5-mini. Without it, these are skipped."
          onChange={setJudge}
        />
      </div>
      {error !== undefined && <Failure error={error} />}
      {told !== undefined && <p role="status">{told}</p>}
      <div className="dialog-actions">
        <Button onClick={onClose}>Close</Button>
        <Button kind="primary" busy={busy} onClick={() => void grade()}>
          {busy ? 'Grading …' : 'Grade'}
        </Button>
      </div>
    </Dialog>
  );
}
