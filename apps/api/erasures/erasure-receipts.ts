import { Inject, Injectable } from '@nestjs/common';
import { actionRequestDecider } from '#domain/action-request/action-request.decider.js';
import { requestStream } from '#domain/stream-names.js';
import { eventOfType } from '#domain/upcast.js';
import { Refusal } from '#domain/errors/refusal.js';
import { ERASURE_RECEIPT } from '#domain/replay/receipt.js';
import { readRecorded } from '#event-store/aggregate-store.js';
import type { EventStore } from '#event-store/event-store.js';
import type { ServiceConfig } from '#platform/config/service-config.js';
import { signed } from '#platform/signing/signature.js';
import { CONFIG, EVENT_STORE } from '../platform/tokens.js';
import type { ErasureReceiptDto } from './erasure-view.js';

/** Makes the receipt of an erasure, which the subject can be given (SPEC G6). */
@Injectable()
export class ErasureReceipts {
  constructor(
    @Inject(EVENT_STORE) private readonly eventStore: EventStore,
    @Inject(CONFIG) private readonly config: Pick<ServiceConfig, 'bundleKey'>,
  ) {}

  /** @throws Refusal NOT_FOUND if the request is not an erasure, or was not executed */
  async of(requestId: string): Promise<ErasureReceiptDto> {
    const event = await this.deletionOf(requestId);
    if (event === undefined)
      throw new Refusal('NOT_FOUND', { what: 'executed erasure', id: requestId });
    const { subject, reason_code, kids, manifest, at } = event.data;
    const { stream, number, position, metadata } = event;
    return signed(
      {
        kind: ERASURE_RECEIPT,
        request_id: requestId,
        subject,
        reason_code,
        destroyed_keys: kids,
        manifest,
        erased_at: at,
        event: { stream, number, position: position.toString(), hash: metadata.hash },
      },
      this.config.bundleKey,
    );
  }

  private async deletionOf(requestId: string) {
    for await (const stored of readRecorded(this.eventStore, requestStream(requestId))) {
      const event = eventOfType(actionRequestDecider, stored, 'deletion_event');
      if (event !== undefined) return event;
    }
    return undefined;
  }
}
