/**
 * A page: its title in the tab, its heading with the focus after a navigation, its actions, its content. A page of one thing out of many
 * (`/runs/$id`) is keyed by its id, so that the next one is a new page.
 */
import { type ReactNode, useEffect, useRef } from 'react';
import { showMarks } from '../ui/direction-marks.ts';

export interface PageProps {
  title: string;
  /** Under the heading, a sentence. */
  about?: ReactNode;
  /** Above the heading: where one came from. */
  trail?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

/** The first page of a visit leaves the focus where the browser has it. */
let isFirst = true;

export function Page({ title, about, trail, actions, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${showMarks(title)} · Waymark`;
  }, [title]);
  useEffect(() => {
    if (!isFirst) {
      window.scrollTo(0, 0);
      heading.current?.focus({ preventScroll: true });
    }
    isFirst = false;
  }, []);
  return (
    <>
      <div className="page-head">
        {trail && <div className="trail">{trail}</div>}
        <div className="page-title">
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {actions && <div className="actions">{actions}</div>}
        </div>
        {about && <p className="about">{about}</p>}
      </div>
      {children}
    </>
  );
}
