/** What a model is shown of the page. The command line reads the names of the modes without loading an agent. */

/** `text`: what tools write. `image`: a picture of the page after each call. `both`: both. */
export const OBSERVE_MODES = ['text', 'image', 'both'] as const;
export type ObserveMode = (typeof OBSERVE_MODES)[number];
