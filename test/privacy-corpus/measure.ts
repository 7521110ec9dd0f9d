import { FINDING_TYPES, type Finding, type FindingType } from '#domain/privacy/finding.js';
import { redact, redactJson } from '#domain/privacy/redact.js';
import { scanJson } from '#domain/privacy/scan-json.js';
import type { RuleSet } from '#domain/privacy/rule-set.js';
import type { Json } from '#domain/json.js';
import type { Example } from './corpus.js';
import type { LabelledSpan } from './template.js';

/** Counts of one type or one language. */
export interface Score {
  /** Labelled places of personal data. */
  spans: number;
  /** Spans that a finding of their type covers wholly. */
  found: number;
  /** Spans that the redaction touches, but of which a piece remains. */
  leaking: number;
  findings: number;
  /** Findings that overlap no span. */
  falseAlarms: number;
}

export interface Scores {
  readonly byType: ReadonlyMap<FindingType, Score>;
  readonly byLanguage: ReadonlyMap<string, Score>;
  readonly total: Score;
  /** The types that a checksum or a fixed form decides. */
  readonly structured: Score;
}

export const STRUCTURED: ReadonlySet<FindingType> = new Set([
  'email',
  'payment_card',
  'iban',
  'us_ssn',
  'national_id',
  'ip_address',
  'mac_address',
  'private_key',
  'jwt',
  'api_key',
]);

/** Texts rarely tell these apart, so they count as one type. */
const SECRETS: ReadonlySet<FindingType> = new Set(['jwt', 'api_key', 'token', 'password']);

/** The length from which a remaining piece of a span is a leak: shorter pieces are usual words and digits. */
const PIECE = 4;

export const recall = ({ spans, found }: Score): number => (spans === 0 ? 1 : found / spans);
export const precision = ({ findings, falseAlarms }: Score): number =>
  findings === 0 ? 1 : 1 - falseAlarms / findings;

const emptyScore = (): Score => ({
  spans: 0,
  found: 0,
  leaking: 0,
  findings: 0,
  falseAlarms: 0,
});

const isOfType = (finding: Finding, span: LabelledSpan): boolean =>
  finding.type === span.type || (SECRETS.has(finding.type) && SECRETS.has(span.type));

const samePlace = (finding: Finding, span: LabelledSpan): boolean =>
  finding.in_key === span.in_key && JSON.stringify(finding.path) === JSON.stringify(span.path);

const overlaps = (finding: Finding, span: LabelledSpan): boolean =>
  samePlace(finding, span) && finding.span[0] < span.end && finding.span[1] > span.start;

const covers = ({ span: [start, end] }: Finding, span: LabelledSpan): boolean =>
  start <= span.start && end >= span.end;

export const findingsIn = (value: Json, label: string, rules: RuleSet): readonly Finding[] => {
  const verdict = scanJson(value, rules, label);
  if (verdict.outcome === 'cannot_scan')
    throw new Error(`An example cannot be scanned: ${verdict.reason}`);
  return verdict.outcome === 'flagged' ? verdict.findings : [];
};

/** The marks that a redaction leaves. */
const MARK = /\[REDACTED:[a-z_]+\]|\{"redacted":true,[^{}]*\}/g;

const redacted = (value: Json, findings: readonly Finding[]): string =>
  JSON.stringify(
    typeof value === 'string' ? redact(value, findings) : redactJson(value, findings, () => ''),
  ).replace(MARK, '\n');

const count = (text: string, piece: string): number => text.split(piece).length - 1;

/** Returns the value with exactly the spans cut out. */
const withoutSpans = (value: Json, spans: readonly LabelledSpan[]): string =>
  redacted(
    value,
    spans.map(({ type, path, in_key, start, end }) => ({
      type,
      path,
      in_key,
      span: [start, end] as const,
      category: 'high' as const,
      rule_set_version: '',
    })),
  );

/** Returns the text of a span as JSON has it. */
function shownText(value: Json, { path, in_key, start, end }: LabelledSpan): string {
  let node = value;
  for (const [depth, step] of path.entries()) {
    if (Array.isArray(node)) node = (node as readonly Json[])[step as number]!;
    else {
      const entries = node as { readonly [key: string]: Json };
      const key = typeof step === 'number' ? Object.keys(entries).sort()[step]! : step;
      node = in_key && depth === path.length - 1 ? key : entries[key]!;
    }
  }
  const text = typeof node === 'string' ? node : JSON.stringify(node);
  return JSON.stringify(text.slice(start, end)).slice(1, -1);
}

/** True if a piece of the text remains after the redaction more often than the value has it elsewhere. */
function leaks(text: string, remaining: string, rest: string): boolean {
  for (let at = 0; at + PIECE <= text.length; at += 1) {
    const piece = text.slice(at, at + PIECE);
    if (remaining.includes(piece) && count(remaining, piece) > count(rest, piece)) return true;
  }
  return false;
}

export interface Outcome {
  readonly missed: readonly LabelledSpan[];
  readonly leaking: readonly LabelledSpan[];
  readonly falseAlarms: readonly Finding[];
  readonly findings: readonly Finding[];
}

/** Scans and redacts one example, and compares the findings with the labels. */
export function outcomeOf({ value, label = '', spans }: Example, rules: RuleSet): Outcome {
  const findings = findingsIn(value, label, rules);
  const touched = spans.filter((span) => findings.some((finding) => overlaps(finding, span)));
  const isFound = (span: LabelledSpan): boolean =>
    findings.some((one) => overlaps(one, span) && isOfType(one, span) && covers(one, span));
  const remaining = redacted(value, findings);
  // Only the rest of a span that was found can leak. A span that was not found is a miss.
  const rest = withoutSpans(value, touched);
  return {
    findings,
    missed: spans.filter((span) => !isFound(span)),
    leaking: touched.filter((span) => leaks(shownText(value, span), remaining, rest)),
    falseAlarms: findings.filter((finding) => !spans.some((span) => overlaps(finding, span))),
  };
}

/** Scans all examples and counts by type and by language. */
export function scoresOf(examples: readonly Example[], rules: RuleSet): Scores {
  const byType = new Map(FINDING_TYPES.map((type) => [type, emptyScore()]));
  const byLanguage = new Map<string, Score>();
  const total = emptyScore();
  const structured = emptyScore();
  for (const example of examples) {
    const language = byLanguage.get(example.language) ?? emptyScore();
    byLanguage.set(example.language, language);
    const add = (type: FindingType, change: (score: Score) => void): void => {
      const scores = [byType.get(type)!, language, total];
      for (const score of STRUCTURED.has(type) ? [...scores, structured] : scores) change(score);
    };
    const { findings, missed, leaking, falseAlarms } = outcomeOf(example, rules);
    for (const span of example.spans)
      add(span.type, (score) => {
        score.spans += 1;
        if (!missed.includes(span)) score.found += 1;
        if (leaking.includes(span)) score.leaking += 1;
      });
    for (const finding of findings)
      add(finding.type, (score) => {
        score.findings += 1;
        if (falseAlarms.includes(finding)) score.falseAlarms += 1;
      });
  }
  return { byType, byLanguage, total, structured };
}
