/** A server process leads a group of its own, so that what it started ends with it, by that group's id and no other. */

/** False when there is nobody left to signal. */
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

/** Waits until the group is empty; bounded, because an unreaped zombie still counts as a member. */
export async function groupGone(leader: number, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  // Nobody tells us of the end of a process that is not our child.
  while (signalGroup(leader, 0)) {
    if (performance.now() > deadline) return false;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return true;
}
