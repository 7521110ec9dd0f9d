import { redact } from './redact.js';
import { scanText } from './scan-text.js';

/** A name, key or id that is shown in an error, with what the gate finds in it redacted (SPEC P6). */
export function clearText(text: string): string {
  const verdict = scanText(text);
  if (verdict.outcome === 'clear') return text;
  return verdict.outcome === 'flagged' ? redact(text, verdict.findings) : '[REDACTED]';
}
