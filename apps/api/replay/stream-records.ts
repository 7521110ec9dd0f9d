import { Inject, Injectable } from '@nestjs/common';
import { CHAIN_START } from '#domain/determinism/hash-chain.js';
import { Refusal } from '#domain/errors/refusal.js';
import { bundleLines, type SignedHeader } from '#domain/replay/bundle.js';
import type { ReplayMode, ReplayReport } from '#domain/replay/stream-replay.js';
import { deciderOf } from '#domain/replay/stream-rules.js';
import { replayStream } from '#domain/replay/stream-replay.js';
import { readRecorded } from '#event-store/aggregate-store.js';
import type { EventStore, LoggedEvent } from '#event-store/event-store.js';
import type { Signature } from '#platform/signing/signature.js';
import { BundleSigner } from '#platform/signing/bundle-signature.js';
import { EVENT_STORE } from '../platform/tokens.js';

/** Exports and replays streams of every category. The caller checks who may read them. */
@Injectable()
export class StreamRecords {
  constructor(
    @Inject(EVENT_STORE) private readonly eventStore: EventStore,
    private readonly signer: BundleSigner,
  ) {}

  /** Returns the lines of a stream's signed bundle, without line feeds (SPEC X4). */
  async bundle(stream: string): Promise<AsyncIterable<string>> {
    return this.linesOf(await this.header(stream));
  }

  /** Returns the first line of a stream's signed bundle. @param count the number of its events; by default all */
  async header(stream: string, count?: number): Promise<SignedHeader> {
    const last =
      count === undefined
        ? await this.eventStore.lastOf(stream)
        : await this.event(stream, count - 1);
    const { lastType } = deciderOf(stream);
    return this.signer.sign({
      stream,
      event_count: (last?.number ?? -1) + 1,
      head_hash: last?.metadata.hash ?? CHAIN_START,
      ended: lastType !== undefined && last?.type === lastType,
    });
  }

  /** Returns the lines of the bundle that begins with this header. */
  linesOf(header: SignedHeader): AsyncIterable<string> {
    const { stream, event_count } = header;
    return bundleLines(header, readRecorded(this.eventStore, stream, { to: event_count - 1 }));
  }

  /** Signs a document of another kind. */
  sign<Content extends object>(content: Content): Promise<Content & Signature> {
    return this.signer.signDocument(content);
  }

  private async event(stream: string, number: number): Promise<LoggedEvent | undefined> {
    let found: LoggedEvent | undefined;
    for await (const event of readRecorded(this.eventStore, stream, { from: number, to: number }))
      found = event;
    return found;
  }

  /**
   * Folds a stream and decides its commands again (SPEC X1). @throws Refusal INTEGRITY_FAILURE or
   * REPLAY_DIVERGENCE at the first difference, with mode `strict` (SPEC X2)
   */
  async replay(stream: string, mode: ReplayMode): Promise<ReplayReport> {
    const events = readRecorded(this.eventStore, stream);
    const report = await replayStream(deciderOf(stream), stream, events, mode);
    const { code, divergence } = report;
    const number = divergence?.number ?? 0;
    if (mode === 'audit' || code === undefined) return report;
    if (code === 'INTEGRITY_FAILURE')
      throw new Refusal(code, { stream, number, reason: 'the hash chain is broken' }, { report });
    throw new Refusal(code, { stream, number }, { report });
  }
}
