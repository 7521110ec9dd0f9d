import { redact } from './redact.js';
import { scanText } from './scan-text.js';

/** Redacts a name, key or id for an error text, as far as the privacy gate finds something (SPEC P6). */
export function clearText(text: string): string {
  const verdict = scanText(text);
  if (verdict.outcome === 'clear') return text;
  return verdict.outcome === 'flagged' ? redact(text, verdict.findings) : '[REDACTED]';
}
