/** The rules of the leaves: facts in, evidence out. One function per kind; a missing fact makes the leaf inconclusive. */
import { compares, decided, lookUp, missing, type Rule, unknown } from './leaf-rule.ts';
import { URL_PREVIEW } from './limits.ts';
import { dom_count, dom_text, dom_value, script } from './page-rules.ts';
import { scanFor } from './pattern-scan.ts';
import { nearestExemplar } from './perceptual-hash.ts';
import type { Leaf, LeafOf } from './schema.ts';

const url: Rule<'url'> = ({ pattern }, facts, steps) => {
  if (facts.url === undefined)
    return unknown({ url: null, pattern }, missing(facts, 'url', 'The URL was not recorded.'));
  const details = { url: facts.url.slice(0, URL_PREVIEW), pattern };
  const scan = scanFor(pattern, steps);
  const matches = scan.test(facts.url);
  return matches === undefined ? unknown(details, scan.reason) : decided(matches, details);
};

const network: Rule<'network'> = ({ url_pattern, status_in, since }, facts, steps) => {
  const expected = { url_pattern, status_in, since };
  const nothing = { ...expected, matched_count: null, scanned_count: null, last_match: null };
  if (facts.network === undefined) return unknown(nothing, missing(facts, 'network', 'The network was not recorded.'));
  const from = facts.markers?.[since];
  if (from === undefined) return unknown(nothing, missing(facts, 'markers', `The moment "${since}" was not recorded.`));
  const scan = scanFor(url_pattern, steps);
  let [matched, scanned, skipped] = [0, 0, 0];
  let last: (typeof facts.network)[number] | null = null;
  // Newest first: when the allowed work runs out, the latest responses have been searched.
  for (const response of facts.network.toReversed()) {
    if (response.ts < from) continue;
    scanned++;
    if (!status_in.includes(response.status)) continue;
    const matches = scan.test(response.url);
    if (matches === undefined) skipped++;
    if (!matches) continue;
    matched++;
    if (last === null || response.ts > last.ts) last = response;
  }
  const last_match = last && { url: last.url.slice(0, URL_PREVIEW), status: last.status, ts: last.ts };
  const details = { ...expected, matched_count: matched, scanned_count: scanned, last_match };
  // One match is enough, even if other responses were skipped.
  return matched === 0 && skipped > 0 ? unknown(details, scan.reason) : decided(matched > 0, details);
};

const screenshot_class: Rule<'screenshot_class'> = ({ class_id, distance_max }, facts) => {
  const nothing = { class_id, distance: null, distance_max, nearest_exemplar: null };
  if (facts.screenshot === undefined) {
    return unknown(nothing, missing(facts, 'screenshot', 'No screenshot was recorded.'));
  }
  const nearest = nearestExemplar(facts.screenshot.hash, lookUp(facts.exemplars, class_id) ?? []);
  if (nearest === null) {
    return unknown(nothing, missing(facts, 'exemplars', 'No example picture of this class was recorded.'));
  }
  const { distance, name } = nearest;
  return decided(distance <= distance_max, { class_id, distance, distance_max, nearest_exemplar: name });
};

const no_dialog: Rule<'no_dialog'> = (_leaf, facts) => {
  if (facts.dialogs === undefined) {
    const nothing = { dialog_open: null, dialogs_seen: null };
    return unknown(nothing, missing(facts, 'dialogs', 'Dialogs were not recorded.'));
  }
  const { open, seen } = facts.dialogs;
  return decided(!open && seen === 0, { dialog_open: open, dialogs_seen: seen });
};

const image_qa: Rule<'image_qa'> = ({ question, expected_pattern }, facts, steps) => {
  const answer = lookUp(facts.answers, question);
  if (answer === undefined) {
    const nothing = { question, answer: null, expected_pattern };
    const otherwise = missing(facts, 'screenshot', 'No model has answered this question.');
    return unknown(nothing, missing(facts, 'answers', otherwise));
  }
  const details = { question, answer: answer.slice(0, URL_PREVIEW), expected_pattern };
  const scan = scanFor(expected_pattern, steps);
  const matches = scan.test(answer);
  return matches === undefined ? unknown(details, scan.reason) : decided(matches, details);
};

const answer: Rule<'answer'> = ({ pattern }, facts, steps) => {
  if (facts.answer === undefined) {
    return unknown(
      { answer: null, pattern },
      missing(facts, 'answer', 'The agent has not given its final answer yet.'),
    );
  }
  if (facts.answer === null) return decided(false, { answer: null, pattern });
  const details = { answer: facts.answer.slice(0, URL_PREVIEW), pattern };
  const scan = scanFor(pattern, steps);
  const matches = scan.test(facts.answer);
  return matches === undefined ? unknown(details, scan.reason) : decided(matches, details);
};

const performance: Rule<'performance'> = ({ metric, unit, op, value, max_age_ms }, facts) => {
  const details = { metric, unit, op, target: value };
  const nothing = { ...details, observed: null };
  if (facts.performance === undefined) {
    return unknown(nothing, missing(facts, 'performance', 'No performance metrics were recorded.'));
  }
  const { ts } = facts;
  if (ts === undefined)
    return unknown(nothing, missing(facts, 'ts', 'The time of the record is not known, so no age is.'));
  const named = facts.performance.filter((fact) => fact.metric === metric);
  if (named.length === 0) return unknown(nothing, 'This metric was not recorded.');
  const newest = named.reduce((best, fact) => (fact.ts >= best.ts ? fact : best));
  const age = ts - newest.ts;
  if (age > max_age_ms) return unknown(nothing, `The newest value is ${age} ms old, and ${max_age_ms} ms is allowed.`);
  const observed = inUnit(newest.value, newest.unit, unit);
  if (observed === undefined) return unknown(nothing, `It was recorded in ${newest.unit}, which is not ${unit}.`);
  return decided(compares(op, observed, value), { ...details, observed });
};

type Unit = LeafOf<'performance'>['unit'];

function inUnit(value: number, from: Unit, to: Unit): number | undefined {
  if (from === to) return value;
  if (from === 'ms' && to === 'seconds') return value / 1000;
  return from === 'seconds' && to === 'ms' ? value * 1000 : undefined;
}

const console: Rule<'console'> = (leaf, facts, steps) => {
  const { type, message_pattern, uncaught, max_age_ms, op, value: target } = leaf;
  const filters = {
    ...(type !== undefined && { type }),
    ...(message_pattern !== undefined && { message_pattern }),
    ...(uncaught !== undefined && { uncaught }),
    max_age_ms,
  };
  const nothing = { filters, op, target, observed: null };
  if (facts.console === undefined) return unknown(nothing, missing(facts, 'console', 'The console was not recorded.'));
  const { ts } = facts;
  if (ts === undefined)
    return unknown(nothing, missing(facts, 'ts', 'The time of the record is not known, so no age is.'));
  const scan = message_pattern === undefined ? undefined : scanFor(message_pattern, steps);
  let [observed, skipped] = [0, 0];
  for (const entry of facts.console.toReversed()) {
    if (ts - entry.ts > max_age_ms) continue;
    if (type !== undefined && entry.type !== type) continue;
    if (uncaught !== undefined && entry.uncaught !== uncaught) continue;
    const matches = scan === undefined || scan.test(entry.text);
    if (matches === undefined) skipped++;
    else if (matches) observed++;
  }
  const passes = compares(op, observed, target);
  // Skipped entries may match or not: they matter only where they could change the verdict.
  const most = observed + skipped;
  const certain =
    op === 'eq' ? skipped === 0 || target < observed || target > most : passes === compares(op, most, target);
  const details = { filters, op, target, observed };
  return certain ? decided(passes, details) : unknown(details, scan?.reason ?? '');
};

export const rules: { readonly [K in Leaf['kind']]: Rule<K> } = {
  url,
  dom_text,
  dom_value,
  dom_count,
  network,
  screenshot_class,
  no_dialog,
  script,
  image_qa,
  answer,
  performance,
  console,
};
