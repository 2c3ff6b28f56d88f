/** A week for each test: time does not go back, because a server that has read the clock may still be looking for what is due by it. */
const HOUR = 3_600_000;
const FIRST_NOON = Date.parse('2026-03-01T12:00:00Z');

export class Weeks {
  #week = -1;

  /** The noon with which the next test begins. */
  next(): Date {
    this.#week++;
    return this.at(0);
  }

  /** Hours after the noon with which this test has begun. */
  at(hours: number): Date {
    return new Date(FIRST_NOON + (this.#week * 7 * 24 + hours) * HOUR);
  }
}
