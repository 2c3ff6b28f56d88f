/** Said of a journal that was never ended: that is the harness's fault, and never the agent's. */
export const CUT_OFF = 'The journal ends without a stop: the harness was cut off.';
