/** A server process leads its own process group, so that its children end with it. Only that group id is signalled. */

/** False when no process is left to signal. */
export function signalGroup(leader: number, signal: NodeJS.Signals | 0): boolean {
  try {
    // Windows has no groups.
    process.kill(process.platform === 'win32' ? leader : -leader, signal);
    return true;
  } catch {
    // The system throws for a group that has no process.
    return false;
  }
}

/** Waits until the group is empty. The wait is bounded, because an unreaped zombie still counts as a member. */
export async function groupGone(leader: number, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  // There is no event for the end of a process that is not our child.
  while (signalGroup(leader, 0)) {
    if (performance.now() > deadline) return false;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return true;
}
