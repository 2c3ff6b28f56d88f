/** A part of a page with its heading. */
import { type ReactNode, useId } from 'react';

export function Panel({ title, about, children }: { title: string; about?: ReactNode; children: ReactNode }) {
  const id = useId();
  return (
    <section className="panel" aria-labelledby={id}>
      <div className="panel-head">
        <h2 id={id}>{title}</h2>
        {about !== undefined && <div className="muted">{about}</div>}
      </div>
      {children}
    </section>
  );
}
