import { Inject, Injectable } from '@nestjs/common';
import { canonicalSize } from '#domain/determinism/canonical-json.js';
import { Refusal } from '#domain/errors/refusal.js';
import type { Json } from '#domain/json.js';
import type { RuleSet } from '#domain/privacy/rule-set.js';
import type { LogContent } from '#domain/reflective-log/content.js';
import type { ReflectiveFields } from '#domain/reflective-log/fields.js';
import { LogProblem } from '#domain/reflective-log/fields.js';
import { redactedContent, redactedFields } from '#domain/reflective-log/redact-log.js';
import { readRuntimeLog, readPostedLog } from '#domain/reflective-log/schema.js';
import { isSignedBy, type Keyring } from '#domain/reflective-log/signature.js';
import type { KeyedHash, RequestIdentity } from '../platform/http/identity.js';
import { inSlices } from '#bounded/slices.js';
import { KEYED_HASH, KEYRING, PRIVACY_RULES } from '../platform/tokens.js';
import { LOG_BYTES, LogArtifacts } from './log-artifacts.js';
import { Quarantine } from './quarantine.js';

/** The maximum bytes of a runtime's log. The job's evidence and snapshots are added to it later. */
const HANDED_BYTES = 700 * 1024;

/**
 * Accepts logs from outside: it checks form and signature, removes personal data, and moves large outputs to
 * artifacts (SPEC L1, L5, P3). A log that fails is quarantined and refused with LOG_INVALID.
 */
@Injectable()
export class LogIntake {
  constructor(
    @Inject(KEYRING) private readonly keyring: Keyring,
    @Inject(KEYED_HASH) private readonly keyedHash: KeyedHash,
    private readonly artifacts: LogArtifacts,
    private readonly quarantine: Quarantine,
    @Inject(PRIVACY_RULES) private readonly rules: RuleSet,
  ) {}

  /**
   * Accepts the log that a runtime sends with a job's end (SPEC L7).
   * @throws Refusal LOG_INVALID, MEMORY_WRITE_FAIL, STORAGE_FULL.
   */
  handed(log: Json, log_id: string, identity: RequestIdentity): Promise<LogContent> {
    return this.orQuarantined(log, log_id, identity, async () => {
      const content = await inSlices(
        redactedContent(readRuntimeLog(log, this.rules), this.keyedHash, this.rules),
      );
      const agent_outputs = await this.artifacts.outputs(content.agent_outputs);
      return sized({ ...content, agent_outputs }, HANDED_BYTES);
    });
  }

  /**
   * Accepts a complete log that an agent posts. @throws Refusal LOG_INVALID, MEMORY_WRITE_FAIL,
   * STORAGE_FULL.
   */
  posted(log: Json, identity: RequestIdentity): Promise<ReflectiveFields> {
    const log_id = (log as { log_id?: unknown } | null)?.log_id;
    return this.orQuarantined(log, log_id, identity, async () => {
      const { fields, signature } = readPostedLog(log, this.rules);
      if (signature !== undefined && !isSignedBy(fields, signature, this.keyring))
        throw new LogProblem('signature is not that of the fields under a key of this service');
      const clean = await inSlices(redactedFields(fields, this.keyedHash, this.rules));
      const agent_outputs = await this.artifacts.outputs(clean.agent_outputs);
      return sized({ ...clean, agent_outputs }, LOG_BYTES);
    });
  }

  private async orQuarantined<Taken>(
    content: Json,
    log_id: unknown,
    identity: RequestIdentity,
    take: () => Promise<Taken>,
  ): Promise<Taken> {
    try {
      return await take();
    } catch (problem) {
      if (!(problem instanceof LogProblem)) throw problem;
      const { reason } = problem;
      const { quarantine_id } = await this.quarantine.put(
        {
          fault: 'submitted',
          log_id,
          reason,
          content,
          submitted_by: identity.actor,
          at: identity.received_at,
        },
        identity,
      );
      throw new Refusal('LOG_INVALID', { reason }, undefined, { quarantine_id, rule: reason });
    }
  }
}

function sized<Content extends object>(content: Content, most: number): Content {
  if (canonicalSize(content) > most) throw new LogProblem(`the log has more than ${most} bytes`);
  return content;
}
