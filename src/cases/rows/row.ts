/** A row of a source, or why it can't be read. */
export interface Row {
  /** `row 3` of an array, counted from 0, `line 3`, or the name of a file in a folder. */
  readonly place: string;
  readonly value?: unknown;
  readonly problem?: string;
}
