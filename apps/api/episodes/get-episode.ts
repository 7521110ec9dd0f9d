import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import type { Held, Sealed } from '#domain/held.js';
import type { Json, JsonObject } from '#domain/json.js';
import type { Episode } from '#projections/episodes/queries.js';
import { readersOf } from '../platform/auth/roles.js';
import { IdText } from '../platform/http/fields.js';
import { Describes, ReadRequest } from '../platform/http/request.js';
import { ReadBy, type ReadContext, Unredacted } from '../privacy/read-context.decorator.js';
import { SealedValues } from '../privacy/sealed-values.js';
import { UnredactedReads } from '../privacy/unredacted-reads.js';
import { EpisodeAccess } from './episode-access.js';
import { EpisodeViewDto } from './episode-view.js';

@Describes({
  summary: 'One episode; with its payload for its owner, auditors, council and admins',
  roles: readersOf('user'),
  answers: [200, EpisodeViewDto],
  fails: ['NOT_FOUND'],
  reads: ['episodes'],
})
export class GetEpisode extends ReadRequest<EpisodeViewDto> {
  @IdText() id!: string;
  @Unredacted() unredacted?: 'true';
  @ReadBy() context!: ReadContext;
}

/** The payload of an episodic_summary, whose items may be sealed. */
interface SummaryPayload {
  readonly cwm: { readonly items: readonly { readonly sealed?: Sealed }[] };
}

/** Returns one episode. Only its owner, auditors, the council and admins get its payload (SPEC E4). */
@QueryHandler(GetEpisode)
export class GetEpisodeHandler implements IQueryHandler<GetEpisode> {
  constructor(
    private readonly access: EpisodeAccess,
    private readonly values: SealedValues,
    private readonly reads: UnredactedReads,
  ) {}

  async execute({ actor, id, unredacted, context }: GetEpisode): Promise<EpisodeViewDto> {
    const episode = await this.access.find(actor, id);
    const read = { stream: episode.stream };
    const mayOpen = await this.reads.allow(actor, unredacted, read, context);
    return {
      episodic_id: episode.episodic_id,
      job_seed: episode.job_seed,
      source: episode.source,
      summary: episode.summary,
      evidence: episode.evidence,
      ...(this.access.seesPayload(actor, episode)
        ? { payload: await this.payloadOf(episode, mayOpen) }
        : {}),
      created_seeded_ts: episode.created_seeded_ts,
      provenance: episode.provenance,
    };
  }

  /** Returns the payload with its sealed values redacted, or opened if the caller may see them (SPEC P3, G7). */
  private async payloadOf(episode: Episode, mayOpen: boolean): Promise<Json> {
    const { payload, sealed_payload, source } = episode;
    const held: Held = sealed_payload === null ? { value: payload } : { sealed: sealed_payload };
    const shown = await this.values.shown(held, mayOpen);
    if (sealed_payload !== null || source !== 'brainstate' || !isSummary(shown)) return shown;
    const { cwm } = shown;
    const items = await this.values.entries(cwm.items, () => mayOpen);
    return { ...shown, cwm: { ...cwm, items } };
  }
}

const isSummary = (payload: Json): payload is JsonObject & SummaryPayload =>
  Array.isArray((payload as Partial<SummaryPayload> | null)?.cwm?.items);
