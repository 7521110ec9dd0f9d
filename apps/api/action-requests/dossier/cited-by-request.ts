import { Injectable } from '@nestjs/common';
import { ApiSchema } from '@nestjs/swagger';
import type { ActionRequested } from '#domain/action-request/events.js';
import { CITED_STATES, type CitedState } from '#domain/action-request/recheck.js';
import type { JsonObject } from '#domain/json.js';
import {
  ApiField,
  JSON_OBJECT,
  many,
  one,
  oneOf,
  orNull,
  TEXT,
} from '../../platform/http/answer-fields.js';
import { SourceEventDto } from '../action-request-view.js';
import type { FoundEpisode, FoundEvidence } from '../evidence/cited-evidence.js';
import type { DossierPart, ReviewedRequest } from './dossier-part.js';

@ApiSchema({ description: 'The episode that a proposed fact is based on.' })
export class DossierEpisodeDto implements Omit<FoundEpisode, 'episode'> {
  @ApiField(TEXT) readonly episodic_id!: string;
  @ApiField(oneOf(...CITED_STATES)) readonly state!: CitedState;
  @ApiField(orNull(TEXT)) readonly summary!: string | null;

  @ApiField(orNull(TEXT), { description: '`agent`, `executor` or `brainstate`.' })
  readonly source!: string | null;

  @ApiField(orNull(TEXT)) readonly job_seed!: string | null;
  @ApiField(orNull(one(SourceEventDto))) readonly source_event!: SourceEventDto | null;
}

@ApiSchema({ description: 'An entry of the evidence, and the event that it names.' })
export class DossierEvidenceDto implements FoundEvidence {
  @ApiField(JSON_OBJECT) readonly entry!: JsonObject;

  @ApiField(oneOf(...CITED_STATES), {
    description: '`none` for an entry that names no episode, note or event.',
  })
  readonly state!: CitedState;

  @ApiField(orNull(TEXT), { description: 'The summary of a cited episode.' })
  readonly summary!: string | null;

  @ApiField(orNull(one(SourceEventDto))) readonly source_event!: SourceEventDto | null;
}

export class CitedByRequestFields {
  @ApiField(orNull(one(DossierEpisodeDto)), { description: 'null for a request of another kind.' })
  readonly episode!: DossierEpisodeDto | null;

  @ApiField(many(DossierEvidenceDto)) readonly evidence!: readonly DossierEvidenceDto[];
}

@Injectable()
export class CitedByRequest implements DossierPart<CitedByRequestFields> {
  async of({ request, citations }: ReviewedRequest): Promise<CitedByRequestFields> {
    const { episode, evidence } = await citations();
    return { episode: episode === null ? null : episodeView(request, episode), evidence };
  }
}

const episodeView = (
  { episodic_id }: ActionRequested,
  { episode, state, source_event }: FoundEpisode,
): DossierEpisodeDto => ({
  episodic_id: episodic_id ?? '',
  state,
  summary: episode?.summary ?? null,
  source: episode?.source ?? null,
  job_seed: episode?.job_seed ?? null,
  source_event,
});
