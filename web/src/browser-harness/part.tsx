/** One of the page's six parts: numbered, with a heading that the list of parts and the blockers lead to. */
import type { ReactNode } from 'react';
import { Badge, type Tone } from '../ui/badge.tsx';

export interface PartState {
  readonly tone: Tone;
  readonly text: string;
}

export interface PartProps {
  number: number;
  name: string;
  about?: ReactNode;
  state?: PartState | undefined;
  children: ReactNode;
}

const partId = (name: string): string => `part-${name.toLowerCase()}`;

export function Part({ number, name, about, state, children }: PartProps) {
  const id = partId(name);
  return (
    <section className="panel harness-part" aria-labelledby={id}>
      <div className="panel-head">
        <h2 id={id} tabIndex={-1}>
          <span className="part-number">{number}</span> {name}
        </h2>
        {state && <Badge tone={state.tone}>{state.text}</Badge>}
      </div>
      {about && <p className="about">{about}</p>}
      {children}
    </section>
  );
}

/** To a part's heading, by keyboard too: what follows it is next. */
export function PartLink({ name, children }: { name: string; children: ReactNode }) {
  return <a href={`#${partId(name)}`}>{children}</a>;
}
