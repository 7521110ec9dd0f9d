import { Inject, Injectable } from '@nestjs/common';
import { CHAIN_START } from '#domain/determinism/hash-chain.js';
import type { JsonObject } from '#domain/json.js';
import { REQUEST_RECEIPT, STREAM_RECEIPT } from '#domain/replay/receipt.js';
import type { EventStore, LoggedEvent } from '#event-store/event-store.js';
import { BundleSigner } from '#platform/signing/bundle-signature.js';
import { EVENT_STORE } from '../platform/tokens.js';
import type { ReceiptDto, StreamReceiptDto } from './receipt-view.js';

/**
 * Makes receipts of events. The hash of the event can be computed again from the receipt alone, so it proves offline
 * that the service recorded this event at this place (SPEC I6, X4). Fails with `EventStoreUnavailable`.
 */
@Injectable()
export class EventReceipts {
  constructor(
    @Inject(EVENT_STORE) private readonly eventStore: EventStore,
    private readonly signer: BundleSigner,
  ) {}

  async ofRequest(request_id: string, event: LoggedEvent): Promise<ReceiptDto> {
    const placed = await this.placed(event);
    return this.signer.signDocument({ document: REQUEST_RECEIPT, request_id, ...placed });
  }

  async of(event: LoggedEvent): Promise<StreamReceiptDto> {
    const placed = await this.placed(event);
    return this.signer.signDocument({ document: STREAM_RECEIPT, ...placed });
  }

  /** Returns the event with the hash of the one before it. */
  private async placed({ stream, number, type, data, metadata, position }: LoggedEvent) {
    let prev = CHAIN_START;
    if (number > 0) {
      const before = this.eventStore.readStream(stream, { from: number - 1, limit: 1 });
      for await (const one of before) prev = one.metadata.hash;
    }
    return {
      prev,
      event: {
        ...{ stream, number, type, data, metadata: metadata as JsonObject },
        position: position.toString(),
      },
    };
  }
}
