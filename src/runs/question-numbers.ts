/** The numbers of a run of questions in words, the same in all reports and at the command line. */
import type { Accuracy, QuestionReportHead, QuestionSummary, Usage } from './question-report.ts';

export function accuracyText({ accuracy, passed, scored, interval }: Accuracy): string {
  if (accuracy === null) return 'nothing scored';
  return `${passed} of ${scored} right (${shareText(accuracy)}, 95 % interval ${shareText(interval.low)} – ${shareText(interval.high)})`;
}

export function countText({ answered, total, errors, missing }: QuestionSummary): string {
  return `${answered} of ${total} items answered, ${errors} with errors, ${missing} not asked`;
}

export function modelText({ model: { kind, id, baseUrl } }: Pick<QuestionReportHead, 'model'>): string {
  return `${kind}:${id}${baseUrl === null ? '' : ` at ${baseUrl}`}`;
}

export function warningText({ message, items }: QuestionReportHead['warnings'][number]): string {
  return `${message} (${items === 1 ? '1 item' : `${items} items`})`;
}

export function shareText(share: number | null): string {
  return share === null ? 'none' : `${(share * 100).toFixed(1)} %`;
}

export function costText({ costUsd }: Usage): string {
  return costUsd === null ? 'unknown' : `$${costUsd < 0.01 ? costUsd.toFixed(6) : costUsd.toFixed(2)}`;
}
