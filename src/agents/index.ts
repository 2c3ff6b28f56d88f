/** The agents that come with Waymark. An agent calls a session. */
export { type ScriptedOptions, scripted } from './scripted.ts';
export { type Move, parseTranscript, readTranscript, TRANSCRIPT_FORMAT, type Transcript } from './transcript.ts';
