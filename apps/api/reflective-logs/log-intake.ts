import { Inject, Injectable } from '@nestjs/common';
import { ArtifactsUnavailable, type ArtifactStore } from '#artifacts/index.js';
import { canonicalSize } from '#domain/determinism/canonical-json.js';
import { codePoints, cutToCodePoints } from '#domain/episode/tokens.js';
import { Refusal } from '#domain/errors/refusal.js';
import type { Json } from '#domain/json.js';
import type { CommandIdentity } from '#domain/recorded-event.js';
import type { LogContent } from '#domain/reflective-log/content.js';
import type { AgentOutput, ReflectiveFields } from '#domain/reflective-log/fields.js';
import { LogProblem } from '#domain/reflective-log/log-problem.js';
import { redactedContent, redactedFields } from '#domain/reflective-log/redact-log.js';
import { OUTPUT_TEXT, readHandedLog, readPostedLog } from '#domain/reflective-log/schema.js';
import { isSignedBy, type Keyring } from '#domain/reflective-log/signature.js';
import type { KeyedHash } from '../platform/http/identity.decorator.js';
import { ARTIFACTS, KEYED_HASH, KEYRING } from '../platform/tokens.js';
import { Quarantine } from './quarantine.js';

const KIB = 1024;
/** Canonical bytes of a whole log: a row is < 1 MB, and one append holds it with its metadata (SPEC L1, J9). */
const LOG_BYTES = 860 * KIB;
/** Of a runtime's account, which the job's evidence and snapshots are added to. */
const HANDED_BYTES = 700 * KIB;

const NO_ROOM = ['ENOSPC', 'EDQUOT'];

function failureOf({ cause }: ArtifactsUnavailable): Refusal {
  const code = (cause as NodeJS.ErrnoException | undefined)?.code ?? '';
  const stream = 'the artifact store';
  return new Refusal(NO_ROOM.includes(code) ? 'STORAGE_FULL' : 'MEMORY_WRITE_FAIL', { stream });
}

/**
 * Takes in what somebody else says a log is: its form and signature are checked, personal data is taken out,
 * large outputs become artifacts (SPEC L1, L5, P3). What fails is quarantined and refused as LOG_INVALID.
 */
@Injectable()
export class LogIntake {
  constructor(
    @Inject(KEYRING) private readonly keyring: Keyring,
    @Inject(KEYED_HASH) private readonly keyedHash: KeyedHash,
    @Inject(ARTIFACTS) private readonly artifacts: ArtifactStore,
    private readonly quarantine: Quarantine,
  ) {}

  /**
   * What a runtime hands over with its job's end (SPEC L7).
   * @throws Refusal LOG_INVALID, MEMORY_WRITE_FAIL, STORAGE_FULL.
   */
  handed(log: Json, log_id: string, identity: CommandIdentity): Promise<LogContent> {
    return this.orQuarantined(log, log_id, identity, async () => {
      const content = redactedContent(readHandedLog(log), this.keyedHash);
      const agent_outputs = await this.withArtifacts(content.agent_outputs);
      return sized({ ...content, agent_outputs }, HANDED_BYTES);
    });
  }

  /** A whole log, as an agent posts it. @throws Refusal as `handed`. */
  posted(log: Json, identity: CommandIdentity): Promise<ReflectiveFields> {
    const log_id = (log as { log_id?: unknown } | null)?.log_id;
    return this.orQuarantined(log, log_id, identity, async () => {
      const { fields, signature } = readPostedLog(log);
      if (signature !== undefined && !isSignedBy(fields, signature, this.keyring))
        throw new LogProblem('signature is not that of the fields under a key of this service');
      const clean = redactedFields(fields, this.keyedHash);
      const agent_outputs = await this.withArtifacts(clean.agent_outputs);
      return sized({ ...clean, agent_outputs }, LOG_BYTES);
    });
  }

  private async orQuarantined<Taken>(
    content: Json,
    log_id: unknown,
    identity: CommandIdentity,
    take: () => Promise<Taken>,
  ): Promise<Taken> {
    try {
      return await take();
    } catch (problem) {
      if (problem instanceof ArtifactsUnavailable) throw failureOf(problem);
      if (!(problem instanceof LogProblem)) throw problem;
      const { reason } = problem;
      await this.quarantine.put(
        { fault: 'submitted', log_id, reason, content, submitted_by: identity.actor },
        identity,
      );
      throw new Refusal('LOG_INVALID', { reason });
    }
  }

  /** A text that is too long stands in the log as far as it may, and whole where the URL says (SPEC L1). */
  private withArtifacts(outputs: readonly AgentOutput[]): Promise<AgentOutput[]> {
    return Promise.all(
      outputs.map(async (output) => {
        if (codePoints(output.text) <= OUTPUT_TEXT) return output;
        const artifact_url = await this.artifacts.put(output.text);
        return { ...output, text: cutToCodePoints(output.text, OUTPUT_TEXT), artifact_url };
      }),
    );
  }
}

function sized<Content extends object>(content: Content, most: number): Content {
  if (canonicalSize(content) > most) throw new LogProblem(`the log has more than ${most} bytes`);
  return content;
}
