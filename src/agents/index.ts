/** The agents that come with Waymark. An agent calls a session. */
export { scripted } from './scripted.ts';
export { parseTranscript, readTranscript, TRANSCRIPT_FORMAT, type Transcript } from './transcript.ts';
