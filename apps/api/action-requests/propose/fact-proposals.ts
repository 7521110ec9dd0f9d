import { Inject, Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import type { ActionRequestCommand } from '#domain/action-request/commands.js';
import type { ProposeAction } from '#domain/action-request/proposal.js';
import { subjectOfRequest } from '#domain/action-request/subject.js';
import { isEntityOf, parseKey } from '#domain/canonical-key/canonical-key.js';
import { seededUuid } from '#domain/determinism/ids.js';
import { permit } from '#domain/errors/permit.js';
import { Refusal } from '#domain/errors/refusal.js';
import { ownUserId, personOf } from '#domain/ownership/access.js';
import type { Actor } from '#domain/recorded-event.js';
import { mayRead, sourceOf } from '#domain/sem/access.js';
import { idOfRequestStream, jobStream, requestStream } from '#domain/stream-names.js';
import { OwnerClaims } from '../../ownership/owner-claims.js';
import { RequestClaims } from '../../platform/request-claims.js';
import { EpisodeAccess } from '../../episodes/episode-access.js';
import type { Episode } from '#projections/episodes/queries.js';
import { NoteEvidence } from '../../notes/note-evidence.js';
import type { RequestIdentity } from '../../platform/http/identity.js';
import type { ActionRequestStore } from '../../platform/stores.js';
import { ACTION_REQUEST_STORE } from '../../platform/tokens.js';
import { EvidenceLookup } from '../evidence/evidence-lookup.js';
import type { Propose } from './propose.js';
import { RequestGate } from './request-gate.js';
import { RequestReport } from '../execute/request-report.js';
import { RequestTerms } from './request-terms.js';

/** Handles memory_promote_request: proposes a fact to the council without writing the fact (SPEC G1). */
@Injectable()
export class FactProposals {
  constructor(
    @Inject(ACTION_REQUEST_STORE) private readonly requests: ActionRequestStore,
    private readonly claims: RequestClaims,
    private readonly owners: OwnerClaims,
    private readonly episodes: EpisodeAccess,
    private readonly report: RequestReport,
    private readonly gate: RequestGate,
    private readonly terms: RequestTerms,
    private readonly notes: NoteEvidence,
    private readonly lookup: EvidenceLookup,
  ) {}

  async propose(asked: Propose) {
    const { identity } = asked;
    const wanted = await this.allowed(asked);
    const stream = await this.streamFor(identity);
    const propose = async (): Promise<readonly ActionRequestCommand[]> => [
      { type: 'request', ...(await this.gated(asked, wanted, stream)) },
    ];
    const made = await this.requests.execute(stream, propose, identity);
    // The job may have no log yet; the obligation worker then lists the request in it later.
    await this.report.write(stream).catch(() => undefined);
    return made;
  }

  /** Returns the proposal of a dry run. @throws Refusal as `propose` does */
  async draft(asked: Propose): Promise<ProposeAction> {
    return this.gated(asked, await this.allowed(asked), requestStream(uuidv7()));
  }

  /** Returns what the caller wants to propose. @throws Refusal PERMISSION_DENIED for the fact of another user */
  private async allowed(asked: Propose): Promise<WantedFact> {
    const { actor } = asked;
    const proposal = factProposalOf(asked);
    const { target_sem_key } = proposal;
    permit(mayRead(actor, target_sem_key), `propose a write to ${target_sem_key}`, 'I9');
    const own = ownTarget(actor, target_sem_key);
    if (own !== undefined) await this.owners.check(own);
    return { ...proposal, own };
  }

  /** Returns the proposal as the log may hold it. */
  private async gated(
    { actor, identity, dry_run: isDryRun = false }: Propose,
    { own, ...proposal }: WantedFact,
    stream: string,
  ): Promise<ProposeAction> {
    const { target_sem_key, episodic_id } = proposal;
    const episode = await this.episodes.find(actor, episodic_id);
    if (own !== undefined)
      await (isDryRun ? this.owners.requireClaimable(own) : this.owners.claim(own, identity));
    const evidence = await this.notes.named(actor, proposal.evidence ?? []);
    const about = {
      request_id: idOfRequestStream(stream),
      made_for: own ?? (await this.madeFor(target_sem_key)),
      ...jobOf(episode),
    };
    const target = { key: target_sem_key, subject: subjectOfRequest(about), isDryRun };
    const gated = await this.gate.proposal({ ...proposal, evidence }, target);
    return {
      ...about,
      ...gated,
      ...(await this.lookup.of(actor, gated.evidence)),
      kind: 'sem_put',
      episodic_id,
      target_sem_key,
      proposer: personOf(actor),
      source: sourceOf(actor),
      ...this.terms.from(identity.received_at),
    };
  }

  /**
   * Returns the stream of the request. A request is made only once in a stream, so a retry whose first attempt gave no
   * answer (SPEC P5) makes it in another one, whose name follows from the first.
   */
  private async streamFor(identity: RequestIdentity): Promise<string> {
    let stream = await this.claims.streamFor(identity, requestStream(uuidv7()));
    if (!identity.keyed) return stream;
    while (await this.requests.lacksAnswer(stream, identity.command_id))
      stream = requestStream(seededUuid([stream, 'again']));
    return stream;
  }

  /**
   * Returns the user whom the fact concerns: the raw id if a user owns the key's slug, else the entity id (SPEC G2,
   * I9).
   */
  private async madeFor(key: string): Promise<string | null> {
    const { scope, entity_id } = parseKey(key);
    if (scope !== 'user') return null;
    return (await this.owners.ownerOf(entity_id)) ?? entity_id;
  }
}

/** A fact that a caller wants to propose. */
type WantedFact = ReturnType<typeof factProposalOf> & {
  /** The caller's user, if the fact concerns this user. */
  readonly own: string | undefined;
};

/** Returns the parts of a proposed fact. @throws Refusal INVALID_INPUT if one of them is missing */
function factProposalOf(asked: Propose) {
  const { justification, evidence, episodic_id, target_sem_key, value } = asked;
  if (episodic_id === undefined || target_sem_key === undefined || value === undefined)
    throw missing({ episodic_id, target_sem_key, value });
  return { justification, evidence, episodic_id, target_sem_key, value };
}

function missing(fields: Readonly<Record<string, unknown>>): Refusal {
  const names = Object.keys(fields).filter((name) => fields[name] === undefined);
  const them = names.length === 1 ? 'it' : 'them';
  const reason = `${names.join(', ')}: a request of kind sem_put needs ${them}`;
  const refusal = new Refusal('INVALID_INPUT', { reason });
  return names.includes('episodic_id') ? refusal.teaching({ instead: EPISODE }) : refusal;
}

const EPISODE =
  'A proposal is based on an episode: POST /v1/jobs/{seed}/episodes answers with its episodic_id, and so does the end of a job.';

/** Returns the job of an episode; nothing for the episode of another request (SPEC E1). */
const jobOf = ({ job_seed, stream }: Episode): { job_seed?: string } =>
  stream === jobStream(job_seed) ? { job_seed } : {};

/**
 * Returns the raw user id in the caller's token if the caller proposes a fact that concerns this user.
 */
function ownTarget(actor: Actor, key: string): string | undefined {
  const { scope, entity_id } = parseKey(key);
  const own = ownUserId(actor);
  return scope === 'user' && own !== undefined && isEntityOf(own, entity_id) ? own : undefined;
}
