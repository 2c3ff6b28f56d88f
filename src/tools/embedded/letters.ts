/** a, b, … z, aa, ab, …: names for documents. They are short because every ref starts with one. */
export function lettersOf(count: number): string {
  let rest = count;
  let letters = '';
  do {
    letters = String.fromCharCode(97 + (rest % 26)) + letters;
    rest = Math.floor(rest / 26) - 1;
  } while (rest >= 0);
  return letters;
}

/** `ab12` → `ab` and 12; undefined when it is not a valid ref. A ref may be given in brackets, as it is shown. */
export function parseRef(ref: string): { letters: string; number: number } | undefined {
  const parts = /^\[?([a-z]+)(\d+)\]?$/.exec(ref.trim());
  return parts?.[1] === undefined ? undefined : { letters: parts[1], number: Number(parts[2]) };
}
