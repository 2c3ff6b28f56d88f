/** The columns of the statistics of each case, and of the roles of an attempt. */
export const CASE_COLUMNS = ['passed', '95 % interval', 'strict', 'pass^k', 'steps', 'time', 'tokens', 'cost'];
export const ROLE_COLUMNS = ['Turns', 'Steps', 'Errors', 'Reward', 'Tokens in / out', 'Cost', 'Thinking', 'Tools'];
