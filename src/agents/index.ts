/** The door of agents/: who asks for the next call. */
export { type ScriptedOptions, scripted } from './scripted.ts';
export { type Move, parseTranscript, readTranscript, TRANSCRIPT_FORMAT, type Transcript } from './transcript.ts';
