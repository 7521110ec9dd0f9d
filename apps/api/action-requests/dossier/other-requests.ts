import { Injectable } from '@nestjs/common';
import { ApiSchema } from '@nestjs/swagger';
import {
  ACTION_REQUEST_STATUSES,
  type ActionRequested,
  type ActionRequestStatus,
} from '#domain/action-request/events.js';
import { isMadeFor, nameOfPerson } from '#domain/action-request/persons.js';
import { requestsReadableBy } from '#domain/action-request/view.js';
import { personOf } from '#domain/ownership/access.js';
import type { Actor } from '#domain/recorded-event.js';
import { ActionRequestQueries } from '#projections/action-requests/queries.js';
import { ApiField, many, one } from '../../platform/http/answer-fields.js';
import { ListedActionRequestDto } from '../read/action-requests-page.js';
import { ShownRequests } from '../read/shown-requests.js';
import type { DossierPart, ReviewedRequest } from './dossier-part.js';

const MAX_OTHERS = 20;

@ApiSchema({ description: 'What else the proposer has proposed.' })
export class ProposerHistoryDto {
  @ApiField(
    { type: 'object', additionalProperties: { type: 'integer' } },
    { description: 'The numbers of all its requests by status.' },
  )
  readonly by_status!: Readonly<Record<ActionRequestStatus, number>>;

  @ApiField(many(ListedActionRequestDto), { description: 'The newest other requests, at most 20.' })
  readonly others!: readonly ListedActionRequestDto[];
}

export class OtherRequestsFields {
  @ApiField(many(ListedActionRequestDto), {
    description: 'Other pending requests for the same target, at most 20.',
  })
  readonly rival_requests!: readonly ListedActionRequestDto[];

  @ApiField(many(ListedActionRequestDto), {
    description:
      'Other pending requests by or about the user of a consent or an erasure, newest first, at most 20; empty for a fact.',
  })
  readonly person_requests!: readonly ListedActionRequestDto[];

  @ApiField(one(ProposerHistoryDto)) readonly proposer_history!: ProposerHistoryDto;
}

/** Other requests: of the proposer, and pending ones for the same target or about the same user. */
@Injectable()
export class OtherRequests implements DossierPart<OtherRequestsFields> {
  constructor(
    private readonly requests: ActionRequestQueries,
    private readonly shown: ShownRequests,
  ) {}

  async of({ viewer, request }: ReviewedRequest): Promise<OtherRequestsFields> {
    const { request_id, proposer, target_sem_key } = request;
    const person = personBehind(request);
    const shown = { voterSub: viewer.sub, snoozer: nameOfPerson(personOf(viewer)) };
    const page = { order: 'newest', limit: MAX_OTHERS + 1, ...shown } as const;
    const [own, counts, rivals, ofPerson] = await Promise.all([
      this.requests.list({ ...page, proposerSub: proposer.sub }),
      this.requests.counts({ proposerSub: proposer.sub }),
      target_sem_key === null
        ? []
        : this.requests.list({ ...page, status: 'pending', targetSemKey: target_sem_key }),
      person === undefined
        ? []
        : this.requests.list({ ...page, status: 'pending', readable: requestsReadableBy(person) }),
    ]);
    const rows = (listed: typeof own) =>
      this.shown.rows(
        viewer,
        listed.filter((row) => row.request_id !== request_id).slice(0, MAX_OTHERS),
      );
    const by_status = Object.fromEntries(
      ACTION_REQUEST_STATUSES.map((status) => [
        status,
        counts.reduce((sum, row) => sum + (row.status === status ? row.count : 0), 0),
      ]),
    ) as ProposerHistoryDto['by_status'];
    const [rival_requests, person_requests, others] = await Promise.all([
      rows(rivals),
      rows(ofPerson),
      rows(own),
    ]);
    return { rival_requests, person_requests, proposer_history: { by_status, others } };
  }
}

/** Returns the user whom a consent or an erasure is about, as a caller who reads the own requests; undefined for a fact. */
function personBehind(request: ActionRequested): Actor | undefined {
  const { kind, made_for, proposer } = request;
  if (kind === 'sem_put' || made_for === null) return undefined;
  const sub = isMadeFor(proposer, request) ? proposer.sub : made_for;
  return { sub, user_id: made_for, roles: [] };
}
