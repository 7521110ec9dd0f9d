import { createHmac } from 'node:crypto';
import type { ReviewWebhook as WebhookConfig } from '#platform/config/service-config.js';
import { askOutside } from '#bounded/outside.js';
import { canonicalJson } from '#domain/determinism/canonical-json.js';
import type { RiskLevel } from '#domain/action-request/risk-reasons.js';
import type { NoticeKind } from './notice-table.js';

const TIMEOUT_MS = 5_000;

/** The notice of a waiting request, which never contains a value (SPEC G9). */
export type Notice = {
  /** The id of the request; together with `notice` the same in each repeated delivery. */
  readonly id: string;
  readonly notice: NoticeKind;
  readonly kind: string;
  readonly risk: RiskLevel;
  /** When the request expires. */
  readonly deadline: string;
};

/** Returns the header by which the receiver verifies a notice: HMAC-SHA256 over the time and the body. */
export function signatureHeader(secret: string, unixSeconds: number, body: string): string {
  const hmac = createHmac('sha256', secret).update(`${unixSeconds}.${body}`).digest('hex');
  return `t=${unixSeconds},v1=${hmac}`;
}

/**
 * Posts a notice. Resolves once the receiver has acknowledged it with a 2xx status.
 * @throws Error for any other status, also a redirect, and if the receiver is silent for 5 s
 */
export async function postNotice(
  { url, secret }: WebhookConfig,
  notice: Notice,
  stopping: AbortSignal,
  timeoutMs = TIMEOUT_MS,
): Promise<void> {
  const body = canonicalJson(notice);
  const { status } = await askOutside({
    method: 'POST',
    url,
    headers: {
      'content-type': 'application/json',
      'mace-signature': signatureHeader(secret, Math.floor(Date.now() / 1000), body),
    },
    body,
    ...{ timeoutMs, maxBytes: 0, signal: stopping },
  });
  if (status < 200 || status > 299) throw new Error(`the receiver answered with status ${status}`);
}
