/** Text of pages and models in a terminal: what would move its cursor or turn the direction of the text is shown and not obeyed. */
export function printable(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '\ufffd').toWellFormed();
}
