import { Inject, Injectable } from '@nestjs/common';
import { ApiSchema } from '@nestjs/swagger';
import { REASON_CODES, type ReasonCode } from '#domain/action-request/events.js';
import { requestStream } from '#domain/stream-names.js';
import { ActionRequestQueries } from '#projections/action-requests/queries.js';
import {
  ApiField,
  INSTANT,
  many,
  one,
  oneOf,
  orNull,
  TEXT,
} from '../../platform/http/answer-fields.js';
import type { ActionRequestStore } from '../../platform/stores.js';
import { ACTION_REQUEST_STORE } from '../../platform/tokens.js';
import { PersonDto } from '../action-request-view.js';
import type { DossierPart, ReviewedRequest } from './dossier-part.js';

const MAX_REJECTED = 5;

@ApiSchema({ description: 'A vote with which the council rejected a request.' })
export class RejectionDto {
  @ApiField(one(PersonDto)) readonly voter!: PersonDto;
  @ApiField(TEXT) readonly reason!: string;
  @ApiField(orNull(oneOf(...REASON_CODES))) readonly reason_code!: ReasonCode | null;
}

@ApiSchema({ description: 'A rejected request with the same value for the same key.' })
export class RejectedBeforeDto {
  @ApiField(TEXT) readonly request_id!: string;
  @ApiField(INSTANT) readonly decided_at!: string;
  @ApiField(many(RejectionDto)) readonly rejections!: readonly RejectionDto[];
}

export class EarlierRejectionsFields {
  @ApiField(many(RejectedBeforeDto), {
    description:
      'Rejected requests with the same value for the same target, newest first, at most 5.',
  })
  readonly rejected_before!: readonly RejectedBeforeDto[];
}

/** Finds the requests with the same value that the council has rejected, so that it need not judge twice. */
@Injectable()
export class EarlierRejections implements DossierPart<EarlierRejectionsFields> {
  constructor(
    @Inject(ACTION_REQUEST_STORE) private readonly store: ActionRequestStore,
    private readonly requests: ActionRequestQueries,
  ) {}

  async of({ request }: ReviewedRequest): Promise<EarlierRejectionsFields> {
    const ids = await this.requests.rejectedLike(request.request_id, MAX_REJECTED);
    const rejected_before = await Promise.all(
      ids.map(async (request_id) => {
        const { decided_at, votes } = (await this.store.load(requestStream(request_id))).state;
        const rejections = votes
          .filter(({ vote }) => vote === 'reject')
          .map(({ voter, reason, reason_code = null }) => ({ voter, reason, reason_code }));
        return { request_id, decided_at: decided_at ?? '', rejections };
      }),
    );
    return { rejected_before };
  }
}
