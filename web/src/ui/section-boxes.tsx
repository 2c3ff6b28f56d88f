import { Button } from './button.tsx';
import { CheckField } from './field.tsx';
import { count } from './format.ts';
import { ScrollBox } from './scroll-box.tsx';

interface SectionBoxesProps {
  all: readonly { section: string; items: number }[];
  /** Undefined: all. */
  chosen: readonly string[] | undefined;
  onChange: (chosen: readonly string[] | undefined) => void;
}

/** More than so many scroll in a box of their own. */
const MANY = 12;

export function SectionBoxes({ all, chosen, onChange }: SectionBoxesProps) {
  const isChosen = (section: string): boolean => chosen?.includes(section) ?? true;
  const toggle = (section: string, isOn: boolean): void => {
    const next = all.map((one) => one.section).filter((name) => (name === section ? isOn : isChosen(name)));
    onChange(next.length === all.length ? undefined : next);
  };
  const boxes = (
    <div className="section-boxes">
      {all.map(({ section, items }) => (
        <CheckField
          key={section}
          label={`${section === '' ? '(no section)' : section} · ${count(items, 'item')}`}
          checked={isChosen(section)}
          onChange={(isOn) => toggle(section, isOn)}
        />
      ))}
    </div>
  );
  return (
    <fieldset>
      <legend>Sections</legend>
      {all.length > 1 && (
        <div className="actions">
          <Button small onClick={() => onChange(undefined)}>
            All
          </Button>
          <Button small onClick={() => onChange([])}>
            None
          </Button>
        </div>
      )}
      {all.length > MANY ? (
        <ScrollBox label="Sections" tall>
          {boxes}
        </ScrollBox>
      ) : (
        boxes
      )}
      {chosen?.length === 0 && <p className="field-error">Choose at least one section.</p>}
    </fieldset>
  );
}
