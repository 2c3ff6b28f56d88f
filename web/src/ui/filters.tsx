/** The filters of a list. On narrow screens they are folded behind a button, so that the list comes first. */
import { type ReactNode, useId, useState } from 'react';
import { Button } from './button.tsx';

interface FiltersProps {
  /** For screen readers: "Filter the runs". */
  label: string;
  /** How many filters are set. A folded filter must not be forgotten. */
  active: number;
  children: ReactNode;
}

export function Filters({ label, active, children }: FiltersProps) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <search aria-label={label}>
      <div className="filters-button">
        <Button small aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
          {active === 0 ? 'Filters' : `Filters (${active})`}
        </Button>
      </div>
      <div id={id} className={isOpen ? 'filters filters-open' : 'filters filters-folded'}>
        {children}
      </div>
    </search>
  );
}
