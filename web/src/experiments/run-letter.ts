/** What a run is called in the columns of an experiment: A, B, …, and numbers when the letters are used up. */
export function runLetter(index: number): string {
  return index < 26 ? String.fromCharCode(65 + index) : String(index + 1);
}
