/** Where the viewer's links lead: into the page itself in report.html, to routes in the web app. */
import { createContext, type MouseEvent, type ReactNode, useContext } from 'react';

export interface ViewerLinks {
  run: string;
  /** Of an attempt, and of one of its steps by the number of its event. */
  attempt(id: string, seq?: number): string;
  /** The address of a picture; `folder` is the attempt's, relative to the run's folder. */
  picture(id: string, folder: string, file: string): string;
  /** The address of a file of the run's folder; undefined where it can't be opened. */
  file(path: string): string | undefined;
  /** Goes to an address of `run` or `attempt` without loading the page again. */
  follow?(href: string): void;
}

const LinksContext = createContext<ViewerLinks | undefined>(undefined);
export const LinksProvider = LinksContext.Provider;

export function useLinks(): ViewerLinks {
  const links = useContext(LinksContext);
  if (!links) throw new Error('The viewer needs its links.');
  return links;
}

interface ViewLinkProps {
  href: string;
  className?: string | undefined;
  label?: string | undefined;
  children: ReactNode;
}

/** A link inside of the viewer. */
export function ViewLink({ href, className, label, children }: ViewLinkProps) {
  const { follow } = useLinks();
  const onClick = (event: MouseEvent) => {
    if (!follow || event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    follow(href);
  };
  return (
    <a href={href} className={className} aria-label={label} onClick={onClick}>
      {children}
    </a>
  );
}

/** A file of the run's folder: a link where it can be opened, its path otherwise. */
export function FileLink({ path, children }: { path: string; children?: ReactNode }) {
  const href = useLinks().file(path);
  return href === undefined ? <code>{children ?? path}</code> : <a href={href}>{children ?? path}</a>;
}
