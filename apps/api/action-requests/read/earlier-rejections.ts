import { Inject, Injectable } from '@nestjs/common';
import { requestStream } from '#domain/stream-names.js';
import { ActionRequestQueries } from '#projections/action-requests/queries.js';
import type { ActionRequestStore } from '../../platform/stores.js';
import { ACTION_REQUEST_STORE } from '../../platform/tokens.js';
import type { RejectedBeforeDto } from './dossier-view.js';

const MAX_REJECTED = 5;

/** Finds the requests with the same value that the council has rejected, so that it need not judge twice. */
@Injectable()
export class EarlierRejections {
  constructor(
    @Inject(ACTION_REQUEST_STORE) private readonly store: ActionRequestStore,
    private readonly requests: ActionRequestQueries,
  ) {}

  async of(requestId: string): Promise<RejectedBeforeDto[]> {
    const ids = await this.requests.rejectedLike(requestId, MAX_REJECTED);
    return Promise.all(
      ids.map(async (request_id) => {
        const { decided_at, votes } = (await this.store.load(requestStream(request_id))).state;
        const rejections = votes
          .filter(({ vote }) => vote === 'reject')
          .map(({ voter, reason, reason_code = null }) => ({ voter, reason, reason_code }));
        return { request_id, decided_at: decided_at ?? '', rejections };
      }),
    );
  }
}
