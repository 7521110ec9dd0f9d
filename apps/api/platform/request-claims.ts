import { Inject, Injectable } from '@nestjs/common';
import { type ClaimCommand } from '#domain/command-claim/command-claim.decider.js';
import { commandStream } from '#domain/stream-names.js';
import { onlyAnswer } from '#event-store/aggregate-store.js';
import type { RequestIdentity } from './http/identity.js';
import type { CommandClaimStore } from './stores.js';
import { COMMAND_CLAIM_STORE } from './tokens.js';

/**
 * Claims a stream for a request that has an Idempotency-Key and a path that does not name the stream. A
 * retry then goes to the same stream and finds its answer there (SPEC I7).
 */
@Injectable()
export class RequestClaims {
  constructor(@Inject(COMMAND_CLAIM_STORE) private readonly claims: CommandClaimStore) {}

  /**
   * Returns the stream of this request: `proposed`, or the stream that the request's first attempt has
   * claimed. @throws Refusal IDEMPOTENCY_MISMATCH if the first attempt had another body.
   */
  async streamFor(identity: RequestIdentity, proposed: string): Promise<string> {
    if (!identity.keyed) return proposed;
    return onlyAnswer(await this.claim(identity, proposed)).target_stream;
  }

  /**
   * Returns the stream of this request as `streamFor` does and, for a retry, the commit position of its claim: what the
   * first attempt found is what the log had then, if nothing came between its claim and its decision.
   */
  async claimed(
    identity: RequestIdentity,
    proposed: string,
  ): Promise<{ readonly stream: string; readonly retried?: bigint }> {
    if (!identity.keyed) return { stream: proposed };
    const claim = await this.claim(identity, proposed);
    const stream = onlyAnswer(claim).target_stream;
    return claim.repeated ? { stream, retried: claim.position } : { stream };
  }

  /**
   * Returns the commit position of the claim of a request that reaches several streams; undefined without an
   * Idempotency-Key. What the log has before the claim is all that the request reaches, so a retry never reaches what
   * was written since. Fails as `streamFor` does.
   */
  async positionOf(identity: RequestIdentity, proposed: string): Promise<bigint | undefined> {
    return identity.keyed ? (await this.claim(identity, proposed)).position : undefined;
  }

  private claim(identity: RequestIdentity, target_stream: string) {
    const stream = commandStream(identity.command_id);
    const claim: ClaimCommand = { type: 'claim', target_stream };
    return this.claims.execute(stream, [claim], identity);
  }
}
