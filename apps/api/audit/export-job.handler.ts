import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { CHAIN_START } from '#domain/determinism/hash-chain.js';
import { jobDecider } from '#domain/job/decider.js';
import { jobStream } from '#domain/job/state.js';
import type { Actor } from '#domain/recorded-event.js';
import { bundleLines } from '#domain/replay/bundle.js';
import { readRecorded } from '#event-store/aggregate-store.js';
import type { EventStore } from '#event-store/event-store.js';
import { BundleSigner } from '#platform/signing/bundle-signature.js';
import { JobAccess } from '../jobs/job-access.js';
import { EVENT_STORE } from '../platform/tokens.js';

export class ExportJob extends Query<AsyncIterable<string>> {
  constructor(
    readonly actor: Actor,
    readonly seed: string,
  ) {
    super();
  }
}

/** Streams the lines of a job's signed bundle, without line feeds (SPEC X4). */
@QueryHandler(ExportJob)
export class ExportJobHandler implements IQueryHandler<ExportJob> {
  constructor(
    @Inject(EVENT_STORE) private readonly eventStore: EventStore,
    private readonly access: JobAccess,
    private readonly signer: BundleSigner,
  ) {}

  async execute({ actor, seed }: ExportJob): Promise<AsyncIterable<string>> {
    await this.access.requireRead(actor, seed);
    const stream = jobStream(seed);
    const last = await this.eventStore.lastOf(stream);
    const to = last?.number ?? -1;
    const header = await this.signer.sign({
      stream,
      event_count: to + 1,
      head_hash: last?.metadata.hash ?? CHAIN_START,
      ended: last?.type === jobDecider.lastType,
    });
    return bundleLines(header, readRecorded(this.eventStore, stream, { to }));
  }
}
