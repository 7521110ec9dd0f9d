import { Injectable } from '@nestjs/common';
import { ApiSchema } from '@nestjs/swagger';
import type { ActionRequested } from '#domain/action-request/events.js';
import { isSameValue } from '#domain/action-request/risk.js';
import { neighbourhoodOf } from '#domain/canonical-key/canonical-key.js';
import type { Json } from '#domain/json.js';
import { isClearedFact } from '#domain/sem/cleared-fact.js';
import { type Fact, SemQueries } from '#projections/sem/queries.js';
import {
  ApiField,
  FLAG,
  INSTANT,
  JSON_VALUE,
  many,
  oneOf,
  TEXT,
  WHOLE,
} from '../../platform/http/answer-fields.js';
import { SealedValues } from '../../privacy/sealed-values.js';
import type { DossierPart, ReviewedRequest } from './dossier-part.js';

const MAX_SIMILAR = 10;

@ApiSchema({ description: 'A fact near the target.' })
export class SimilarFactDto {
  @ApiField(TEXT) readonly key!: string;

  @ApiField(oneOf('same_entity', 'same_attribute'))
  readonly relation!: 'same_entity' | 'same_attribute';

  @ApiField(FLAG, { description: 'Whether its value is the proposed one.' })
  readonly is_same_value!: boolean;

  @ApiField(JSON_VALUE) readonly value!: Json;
  @ApiField(TEXT) readonly source!: string;
  @ApiField(INSTANT) readonly last_updated!: string;

  @ApiField(WHOLE, { description: 'The number of the last event of its stream.' })
  readonly version!: number;
}

export class SimilarFactsFields {
  @ApiField(many(SimilarFactDto), {
    description: 'Facts of the same entity, and of the same attribute; at most 10 of each.',
  })
  readonly similar_facts!: readonly SimilarFactDto[];
}

@Injectable()
export class SimilarFacts implements DossierPart<SimilarFactsFields> {
  constructor(
    private readonly facts: SemQueries,
    private readonly values: SealedValues,
  ) {}

  async of({ request }: ReviewedRequest): Promise<SimilarFactsFields> {
    return { similar_facts: await this.similarTo(request) };
  }

  private async similarTo(request: ActionRequested): Promise<SimilarFactDto[]> {
    const { target_sem_key: key } = request;
    if (key === null) return [];
    const { entity } = neighbourhoodOf(key);
    const similar = await this.facts.similarTo(key, MAX_SIMILAR);
    return Promise.all(
      similar.map(async (fact: Fact) => ({
        key: fact.key,
        relation: fact.key.startsWith(entity)
          ? ('same_entity' as const)
          : ('same_attribute' as const),
        is_same_value: isSameValue(fact.held, request),
        value: await this.values.shown(fact.held, isClearedFact(fact.key, fact.held)),
        source: fact.source,
        last_updated: fact.timestamp,
        version: fact.revision,
      })),
    );
  }
}
