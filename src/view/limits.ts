/** Limits of report.html: one file that a browser opens quickly, however large the run was. It notes what was cut; the journals have it all. */
export const HTML_LIMITS = {
  /** Bytes of all pictures, before base64 makes them a third larger. */
  pictureBytes: 12 * 1024 * 1024,
  /** How many episodes are shown; those that did not pass come first. */
  episodes: 1_000,
  /** How many episodes have pictures; those that did not pass come first. */
  episodesWithPictures: 60,
  picturesPerEpisode: 40,
  /** Characters of one call's arguments and of one result. */
  text: 1_500,
  /** Entries of one list: requests, console lines, regions. */
  entries: 6,
  /** Bars of one episode's timeline. */
  timelineSpans: 400,
  /** Characters of all steps; further episodes show only their result. */
  stepText: 12 * 1024 * 1024,
} as const;
