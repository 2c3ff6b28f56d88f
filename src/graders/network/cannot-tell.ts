/** Thrown where the evidence does not say whether a rule holds; a sentence. The grade is `error`, and never the agent's failure. */
export class CannotTell extends Error {
  override readonly name = 'CannotTell';
}
