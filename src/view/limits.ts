/** Limits of report.html and of the viewer: pages that a browser opens quickly, however large the run was. What was cut is named; the journals have it all. */
export const HTML_LIMITS = {
  /** Bytes of all pictures in report.html, before base64 makes them a third larger; further ones are read from the run's folder. */
  pictureBytes: 12 * 1024 * 1024,
  /** How many episodes have their pictures in report.html; those that did not pass come first. */
  episodesWithPictures: 60,
  picturesPerEpisode: 40,
  /** Characters of one call's arguments and of one result. */
  text: 1_500,
  /** Entries of one list: requests, console lines, regions. */
  entries: 6,
  /** Bars of one episode's timeline. */
  timelineSpans: 400,
  /** Requests, console lines and dialogs of one attempt. */
  logEntries: 500,
  /** What agents said and were told in one attempt. */
  messages: 400,
  /** Rewards of one attempt that a list draws. */
  rewardBars: 60,
  /** Characters of all attempts in report.html. Above it, each attempt is a file of its own in report-data/, read when it is opened. */
  inlineText: 12 * 1024 * 1024,
  /** Characters of all attempts in report-data/. Above it, attempts that passed are only listed. */
  chunkText: 512 * 1024 * 1024,
  /** Attempts that a page lists; of those that did not pass, twice as many. */
  rows: 20_000,
} as const;
