/** With what a server started the run that is in the folder, so that it can be resumed from its page. It is no part of the run. */
export const LAUNCH_FILE = 'launch.json';
