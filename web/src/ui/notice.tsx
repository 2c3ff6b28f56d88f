import type { ReactNode } from 'react';

export type NoticeTone = 'info' | 'good' | 'warning' | 'error';

/** Something to know. Not announced by itself: see `useAnnounce`. */
export function Notice({
  tone = 'info',
  title,
  children,
}: {
  tone?: NoticeTone;
  title?: string;
  children?: ReactNode;
}) {
  return (
    <div className={`notice notice-${tone}`}>
      {title && <p className="notice-title">{title}</p>}
      {children}
    </div>
  );
}
