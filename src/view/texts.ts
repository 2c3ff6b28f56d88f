/** The words of view/ alone, for the web app: the index brings the schemas of events, which a page does not need and its content policy refuses. */
export { kappaInterval, kappaText, notComparedText, shareCount, shareInterval } from './agreement-text.ts';
export { seconds, signed } from './amounts.ts';
export { CASE_COLUMNS, ROLE_COLUMNS } from './columns.ts';
export { contractHistory, contractLine, type Mark } from './contract-history.ts';
export { captionOf } from './frames.ts';
export { gradeCostText, gradeTokenText } from './grade-costs.ts';
