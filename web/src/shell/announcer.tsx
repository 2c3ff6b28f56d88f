/** One polite live region for the whole app: what happened, for those who do not see it happen. */
import { createContext, type ReactNode, useCallback, useContext, useState } from 'react';

const Announce = createContext<(message: string) => void>(() => undefined);

export function Announcer({ children }: { children: ReactNode }) {
  const [{ message, turn }, setSaid] = useState({ message: '', turn: 0 });
  const announce = useCallback((next: string) => setSaid((last) => ({ message: next, turn: last.turn + 1 })), []);
  return (
    <Announce value={announce}>
      {children}
      <div role="status" className="visually-hidden">
        {/* The same sentence twice is news both times. */}
        <span key={turn}>{message}</span>
      </div>
    </Announce>
  );
}

/** @example const announce = useAnnounce(); announce('The dataset was deleted.'); */
export function useAnnounce(): (message: string) => void {
  return useContext(Announce);
}
