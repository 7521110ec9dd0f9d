import { Inject, Injectable } from '@nestjs/common';
import { mayReadRequest } from '#domain/action-request/view.js';
import type { JsonObject } from '#domain/json.js';
import type { Actor } from '#domain/recorded-event.js';
import { requestStream } from '#domain/stream-names.js';
import type { ActionRequestStore } from '../platform/stores.js';
import { ACTION_REQUEST_STORE } from '../platform/tokens.js';
import type { FactRequestDto } from './fact-history-view.js';

/** A write of a fact: its place, and its metadata, in which an approved request leaves its id (SPEC G3). */
interface Write {
  readonly stream: string;
  readonly number: number;
  readonly meta: JsonObject | null;
}

/** Finds the action requests behind the writes of facts. */
@Injectable()
export class FactRequests {
  constructor(@Inject(ACTION_REQUEST_STORE) private readonly requests: ActionRequestStore) {}

  /**
   * Returns the request whose approval led to a write; null without one. Anybody may write any text into `meta`, so
   * the request itself must name the write.
   */
  async behind(actor: Actor, { stream, number, meta }: Write): Promise<FactRequestDto | null> {
    const id = meta?.['provenance_id'];
    if (typeof id !== 'string' || !/^[A-Za-z0-9._:-]{1,128}$/.test(id)) return null;
    const { state } = await this.requests.load(requestStream(id));
    const { request, link } = state;
    if (request === null || link?.sem_stream !== stream || link.sem_event_number !== number)
      return null;
    const isReadable = mayReadRequest(actor, state);
    return {
      request_id: id,
      episodic_id: isReadable ? request.episodic_id : null,
      justification: isReadable ? request.justification : null,
    };
  }
}
