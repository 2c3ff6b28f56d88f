/** The variable that is set for a process that is to end when its input does: also a kill of its parent ends it. */
export const END_WITH_INPUT = 'WAYMARK_END_WITH_INPUT';
