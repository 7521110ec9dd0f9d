import { Inject, Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { erasureProposalOf } from '#domain/action-request/erasure.js';
import type { ActionRequestKind } from '#domain/action-request/events.js';
import type { ProposeAction } from '#domain/action-request/proposal.js';
import type { ActionRequestCommand } from '#domain/action-request/commands.js';
import { parseKey, sameUser } from '#domain/canonical-key/canonical-key.js';
import { permit } from '#domain/errors/permit.js';
import { Refusal } from '#domain/errors/refusal.js';
import type { Json } from '#domain/json.js';
import { hasRole, mayUseJob, ownUserId, personOf } from '#domain/ownership/access.js';
import { privateOwnerOf } from '#domain/ownership/private-owner.js';
import { partsOfSubject, subjectOfUser } from '#domain/privacy/subject.js';
import { sourceOf } from '#domain/sem/access.js';
import {
  consentStream,
  idOfRequestStream,
  requestStream,
  streamOfConsent,
} from '#domain/stream-names.js';
import { RequestClaims } from '../../platform/request-claims.js';
import { JobAccess } from '../../ownership/job-access.js';
import type { ActionRequestStore, ConsentStore } from '../../platform/stores.js';
import { ACTION_REQUEST_STORE, CONSENT_STORE } from '../../platform/tokens.js';
import type { Propose } from './propose.js';
import { PrivacyGate } from '../../privacy/privacy-gate.js';
import { RetentionPeriod } from '../../privacy/retention-period.js';
import { EvidenceLookup } from '../evidence/evidence-lookup.js';
import { RequestGate } from './request-gate.js';
import { RequestTerms } from './request-terms.js';

/** The kinds of requests that are not about a fact. */
type GovernanceKind = Exclude<ActionRequestKind, 'sem_put'>;

/** The value of a request, and the user whom it concerns. */
interface Matter {
  readonly value: Json;
  readonly made_for: string | null;
}

/** Asks the council for a decision that is not about a fact: consent for sensitive data, or an erasure (SPEC P4, G6). */
@Injectable()
export class GovernanceProposals {
  constructor(
    @Inject(ACTION_REQUEST_STORE) private readonly requests: ActionRequestStore,
    @Inject(CONSENT_STORE) private readonly consents: ConsentStore,
    private readonly jobs: JobAccess,
    private readonly claims: RequestClaims,
    private readonly gate: RequestGate,
    private readonly terms: RequestTerms,
    private readonly retention: RetentionPeriod,
    private readonly privacy: PrivacyGate,
    private readonly lookup: EvidenceLookup,
  ) {}

  async propose(kind: GovernanceKind, asked: Propose) {
    const { identity } = asked;
    const matter = await this.gated(kind, asked);
    const stream = await this.claims.streamFor(identity, requestStream(uuidv7()));
    const propose = async (): Promise<readonly ActionRequestCommand[]> => [
      { type: 'request', ...(await this.proposalOf(asked, matter, stream)) },
    ];
    return this.requests.execute(stream, propose, identity);
  }

  /** Returns the proposal of a dry run. @throws Refusal as `propose` does */
  async draft(kind: GovernanceKind, asked: Propose): Promise<ProposeAction> {
    return this.proposalOf(asked, await this.gated(kind, asked), requestStream(uuidv7()));
  }

  /** Returns the matter, and its words as the log may hold them. */
  private async gated(kind: GovernanceKind, asked: Propose) {
    const matter = kind === 'erasure' ? await this.erasure(asked) : await this.consent(asked);
    const words = await this.gate.words(asked);
    return { kind, ...matter, ...words, ...(await this.lookup.of(asked.actor, words.evidence)) };
  }

  private async proposalOf(
    { actor, identity }: Propose,
    matter: Awaited<ReturnType<GovernanceProposals['gated']>>,
    stream: string,
  ): Promise<ProposeAction> {
    const executable_from =
      matter.kind === 'erasure'
        ? await this.retention.endFor(erasureProposalOf(matter.value))
        : undefined;
    return {
      request_id: idOfRequestStream(stream),
      episodic_id: null,
      target_sem_key: null,
      ...matter,
      proposer: personOf(actor),
      source: sourceOf(actor),
      ...this.terms.from(identity.received_at),
      ...(executable_from === undefined ? {} : { executable_from }),
    };
  }

  /** @throws Refusal NOT_FOUND for a consent that the caller's user has not given */
  private async consent({ actor, consent_id }: Propose): Promise<Matter> {
    const user = ownUserId(actor);
    if (consent_id === undefined) throw missing('consent_id', 'sensitive_consent');
    const stream = streamOfConsent(consent_id);
    const isTheirs = user !== undefined && consentStream(user) === stream;
    const { state } = await this.consents.load(stream);
    const given = state.consents.find((consent) => consent.consent_id === consent_id);
    if (!isTheirs || given === undefined || given.revoked_at !== null)
      throw new Refusal('NOT_FOUND', { what: 'consent', id: consent_id });
    return { value: { consent_id }, made_for: given.user_id };
  }

  /** @throws Refusal PERMISSION_DENIED for the data of another user or job, unless the caller is an admin */
  private async erasure(asked: Propose): Promise<Matter> {
    const { actor, subject: named, reason_code = 'other' } = asked;
    if (named === undefined) throw missing('subject', 'erasure');
    const { subject } = erasureProposalOf({ subject: named, reason_code });
    const { kind, id } = partsOfSubject(subject)!;
    if (kind === 'fact') {
      permit(hasRole(actor, 'admin'), `ask to erase ${subject}`, 'G6');
      return { value: { subject: clearedFactOf(subject, id), reason_code }, made_for: null };
    }
    // A sub stands in every event of its caller, so it is not checked here.
    if (kind === 'sub') {
      const isOwn = privateOwnerOf(actor) === subject;
      permit(isOwn || hasRole(actor, 'admin'), 'ask to erase the data of another sub', 'G6');
      return { value: { subject, reason_code }, made_for: null };
    }
    await this.privacy.requireClearIds({ subject: id });
    if (kind === 'job') {
      const owner = await this.jobs.ownerOf(id);
      permit(mayUseJob(actor, owner), `ask to erase ${subject}`, 'G6');
      return { value: { subject, reason_code }, made_for: owner.user_id };
    }
    if (kind === 'request') {
      permit(hasRole(actor, 'admin'), `ask to erase ${subject}`, 'G6');
      return { value: { subject, reason_code }, made_for: null };
    }
    const own = ownUserId(actor);
    const isOwn = own !== undefined && sameUser(own, id);
    permit(isOwn || hasRole(actor, 'admin'), 'ask to erase the data of another user', 'G6');
    return { value: { subject: subjectOfUser(id), reason_code }, made_for: id };
  }
}

/** Returns a subject that is a fact which can be cleared. @throws Refusal INVALID_INPUT for any other key */
function clearedFactOf(subject: string, key: string): string {
  if (parseKey(key).scope === 'user')
    throw new Refusal('INVALID_INPUT', {
      reason: 'subject: a fact of scope user is erased with its user, user:<id>',
    });
  return subject;
}

const missing = (field: string, kind: string): Refusal =>
  new Refusal('INVALID_INPUT', { reason: `${field}: a request of kind ${kind} needs it` });
