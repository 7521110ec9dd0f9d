import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { Refusal } from '#domain/errors/refusal.js';
import { requestStream } from '#domain/stream-names.js';
import { Describes, ReadRequest } from '../../platform/http/request.js';
import type { ActionRequestStore } from '../../platform/stores.js';
import { ACTION_REQUEST_STORE } from '../../platform/tokens.js';
import { CitedEvidence } from '../evidence/cited-evidence.js';
import { SourceEvents, writesAround } from '../evidence/source-events.js';
import { OVERSIGHT, RequestId } from '../request-fields.js';
import { Dossier, DossierDto } from './dossier.js';

@Describes({
  summary:
    'Everything to decide on one request: the present fact, evidence, risk, and what has changed',
  roles: OVERSIGHT,
  answers: [200, DossierDto],
  fails: ['NOT_FOUND'],
  reads: ['action_requests', 'sem', 'episodes', 'sealed_values'],
})
export class GetDossier extends ReadRequest<DossierDto> {
  @RequestId() id!: string;
}

@QueryHandler(GetDossier)
export class GetDossierHandler implements IQueryHandler<GetDossier> {
  constructor(
    @Inject(ACTION_REQUEST_STORE) private readonly store: ActionRequestStore,
    private readonly events: SourceEvents,
    private readonly cited: CitedEvidence,
    private readonly dossier: Dossier,
  ) {}

  async execute({ actor, id }: GetDossier): Promise<DossierDto> {
    const stream = requestStream(id);
    const [{ state }, made] = await Promise.all([
      this.store.load(stream),
      this.events.at(stream, 0),
    ]);
    const { request } = state;
    if (request === null || made === undefined)
      throw new Refusal('NOT_FOUND', { what: 'action request', id });
    const { target_sem_key: key } = request;
    return this.dossier.of({
      ...{ viewer: actor, state, request, made },
      writes: once(async () => {
        const writes = key === null ? [] : await this.events.writesBackTo(key, made.position);
        return writesAround(writes, made.position);
      }),
      citations: once(() => this.cited.of(request)),
    });
  }
}

/** Returns a function that reads at its first call, and returns the same result at each further one. */
function once<Result>(read: () => Promise<Result>): () => Promise<Result> {
  let found: Promise<Result> | undefined;
  return () => (found ??= read());
}
