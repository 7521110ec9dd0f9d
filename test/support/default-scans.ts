import type { Json } from '#domain/json.js';
import type { Verdict } from '#domain/privacy/finding.js';
import { DEFAULT_RULES } from '#domain/privacy/rule-set.js';
import * as json from '#domain/privacy/scan-json.js';
import * as text from '#domain/privacy/scan-text.js';

/** Scans a text by the rules for the default regions. */
export const scanText = (words: string, label?: string): Verdict =>
  text.scanText(words, DEFAULT_RULES, label);

/** Scans a value by the rules for the default regions. */
export const scanJson = (value: Json, label?: string, clear?: json.ClearItems): Verdict =>
  json.scanJson(value, DEFAULT_RULES, label, clear);
