/** Bounds of report.html: one file that a browser opens in a moment, whatever the run was. What is cut is said, and stays in the journals. */
export const HTML_LIMITS = {
  /** Bytes of all pictures, before they become a third longer as text. */
  pictureBytes: 12 * 1024 * 1024,
  /** Episodes that are shown; those that did not pass come first. */
  episodes: 1_000,
  /** Episodes that have pictures; those that did not pass come first. */
  episodesWithPictures: 60,
  picturesPerEpisode: 40,
  /** Characters of one call's arguments and of one result. */
  text: 1_500,
  /** Entries of one list: requests, console lines, regions. */
  entries: 6,
  /** Characters of all steps; episodes beyond have only their result. */
  stepText: 12 * 1024 * 1024,
} as const;
