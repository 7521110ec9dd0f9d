import { Inject, Injectable } from '@nestjs/common';
import type { Decider, DomainEvent } from '#domain/decider.js';
import { CHAIN_START } from '#domain/determinism/hash-chain.js';
import { Refusal } from '#domain/errors/refusal.js';
import { bundleLines } from '#domain/replay/bundle.js';
import { type ReplayMode, type ReplayReport, replayStream } from '#domain/replay/stream-replay.js';
import { readRecorded } from '#event-store/aggregate-store.js';
import type { EventStore } from '#event-store/event-store.js';
import { BundleSigner } from '#platform/signing/bundle-signature.js';
import { EVENT_STORE } from '../platform/tokens.js';

/** Exports and replays single streams. The caller checks beforehand who may read them. */
@Injectable()
export class StreamRecords {
  constructor(
    @Inject(EVENT_STORE) private readonly eventStore: EventStore,
    private readonly signer: BundleSigner,
  ) {}

  /** Returns the lines of a stream's signed bundle, without line feeds (SPEC X4). */
  async bundle<State, Command, Event extends DomainEvent>(
    { lastType }: Decider<State, Command, Event>,
    stream: string,
  ): Promise<AsyncIterable<string>> {
    const last = await this.eventStore.lastOf(stream);
    const to = last?.number ?? -1;
    const header = await this.signer.sign({
      stream,
      event_count: to + 1,
      head_hash: last?.metadata.hash ?? CHAIN_START,
      ended: last !== undefined && last.type === lastType,
    });
    return bundleLines(header, readRecorded(this.eventStore, stream, { to }));
  }

  /**
   * Folds a stream and decides its commands again (SPEC X1). @throws Refusal REPLAY_DIVERGENCE or INTEGRITY_FAILURE
   * in mode `strict`
   */
  async replay<State, Command, Event extends DomainEvent>(
    decider: Decider<State, Command, Event>,
    stream: string,
    mode: ReplayMode,
  ): Promise<ReplayReport> {
    const events = readRecorded(this.eventStore, stream);
    const report = await replayStream(decider, stream, events, mode);
    const { code, divergence } = report;
    const number = divergence?.number ?? 0;
    if (mode === 'audit' || code === undefined) return report;
    const place = { stream, number };
    throw code === 'INTEGRITY_FAILURE'
      ? new Refusal(code, { ...place, reason: 'the hash chain is broken' }, { report })
      : new Refusal(code, place, { report });
  }
}
