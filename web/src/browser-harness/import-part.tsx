import { CaptureImport } from './capture-import.tsx';
import { Part } from './part.tsx';

export function ImportPart() {
  return (
    <Part
      number={6}
      name="Import"
      about="Choose the file that the script downloaded. It becomes a run, and is scored like any other."
    >
      <CaptureImport />
    </Part>
  );
}
