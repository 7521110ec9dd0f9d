import { Inject, Injectable } from '@nestjs/common';
import { ApiSchema } from '@nestjs/swagger';
import type { Json, JsonObject } from '#domain/json.js';
import type { Actor } from '#domain/recorded-event.js';
import { isClearedFact } from '#domain/sem/cleared-fact.js';
import { requestStream } from '#domain/stream-names.js';
import {
  ApiField,
  INSTANT,
  JSON_OBJECT,
  JSON_OBJECT_OR_NULL,
  JSON_VALUE,
  list,
  one,
  orNull,
  TEXT,
  WHOLE,
} from '../../platform/http/answer-fields.js';
import type { ActionRequestStore } from '../../platform/stores.js';
import { ACTION_REQUEST_STORE } from '../../platform/tokens.js';
import { SealedValues } from '../../privacy/sealed-values.js';
import { APPROVED_BY, type ApprovedByDto } from '../../sem/fact-history-view.js';
import { FactRequests } from '../../sem/fact-requests.js';
import { SourceEventDto } from '../action-request-view.js';
import type { StandingWrite } from '../evidence/source-events.js';
import type { DossierPart, ReviewedRequest } from './dossier-part.js';

@ApiSchema({ description: 'What an approved request gave as its grounds.' })
export class GroundsDto {
  @ApiField(TEXT) readonly justification!: string;
  @ApiField(list(JSON_OBJECT)) readonly evidence!: readonly JsonObject[];
}

@ApiSchema({ description: 'A value of the target. Personal data is redacted.' })
export class StandingFactDto {
  @ApiField(JSON_VALUE) readonly value!: Json;
  @ApiField(TEXT) readonly source!: string;
  @ApiField(INSTANT) readonly last_updated!: string;
  @ApiField(orNull(TEXT)) readonly notes!: string | null;
  @ApiField(JSON_OBJECT_OR_NULL) readonly meta!: JsonObject | null;

  @ApiField(APPROVED_BY, { description: 'null if nobody approved it.' })
  readonly approved_by!: ApprovedByDto | null;

  @ApiField(orNull(one(GroundsDto)), { description: 'null if nobody approved it.' })
  readonly grounds!: GroundsDto | null;

  @ApiField(WHOLE, { description: 'The number of its event, for reads with `version`.' })
  readonly version!: number;

  @ApiField(one(SourceEventDto)) readonly source_event!: SourceEventDto;
}

export class StandingFactsFields {
  @ApiField(orNull(one(StandingFactDto)), { description: 'The present value of the target.' })
  readonly present_fact!: StandingFactDto | null;

  @ApiField(orNull(one(StandingFactDto)), {
    description: 'The value of the target when the request was made.',
  })
  readonly fact_at_proposal!: StandingFactDto | null;
}

/** Finds the present fact of the target's key, and the fact that the key had at the proposal. */
@Injectable()
export class StandingFacts implements DossierPart<StandingFactsFields> {
  constructor(
    @Inject(ACTION_REQUEST_STORE) private readonly store: ActionRequestStore,
    private readonly values: SealedValues,
    private readonly behind: FactRequests,
  ) {}

  async of({ viewer, writes }: ReviewedRequest): Promise<StandingFactsFields> {
    const { then, now } = await writes();
    const present = this.factView(viewer, now);
    const [present_fact, fact_at_proposal] = await Promise.all([
      present,
      then === now ? present : this.factView(viewer, then),
    ]);
    return { present_fact, fact_at_proposal };
  }

  private async factView(
    actor: Actor,
    standing: StandingWrite | null,
  ): Promise<StandingFactDto | null> {
    if (standing === null || standing.winner.deleted) return null;
    const { winner, event } = standing;
    const { source, timestamp, notes, meta } = winner.fact;
    const { fact } = winner;
    const value = await this.values.shown(fact, isClearedFact(fact.key, fact));
    const { approved_by } = await this.behind.behind(actor, { ...event, meta });
    const grounds = approved_by === null ? null : await this.groundsOf(approved_by.request_id);
    const about = { source, last_updated: timestamp, notes, meta, approved_by, grounds };
    return { value, ...about, version: event.number, source_event: event };
  }

  private async groundsOf(requestId: string): Promise<GroundsDto | null> {
    const { request } = (await this.store.load(requestStream(requestId))).state;
    return request && { justification: request.justification, evidence: request.evidence };
  }
}
