/** The step that the address names, by the number of its event. */
export function folderSearch(search: Record<string, unknown>): { step?: number } {
  const step = Number(search['step']);
  return Number.isInteger(step) && step >= 0 && search['step'] !== undefined ? { step } : {};
}
