import {
  ACTION_REQUEST_KINDS,
  type ActionRequestKind,
  type ActionRequestStatus,
  REASON_CODES,
  type ReasonCode,
  type Vote,
} from '#domain/action-request/events.js';
import { ERASURE_REASONS, type ErasureReason } from '#domain/action-request/erasure.js';
import type { Json, JsonObject } from '#domain/json.js';
import { CONSENT_ID } from '#domain/consent/state.js';
import { AnyJson, IdText, ObjectList, OneOf, Text } from '../../platform/http/fields.js';
import { EVIDENCE_ITEMS } from '#domain/episode/summaries.js';

export const VOTES: readonly Vote[] = ['approve', 'reject', 'abstain'];

export const STATUSES: readonly ActionRequestStatus[] = [
  'pending',
  'approved',
  'executed',
  'execution_refused',
  'rejected',
  'expired',
];

export class ActionRequestDto {
  @OneOf(ACTION_REQUEST_KINDS, { optional: true, description: 'Default: `sem_put`.' })
  kind?: ActionRequestKind;

  @IdText({ optional: true, description: '`sem_put`: the episode that the proposal is based on.' })
  episodic_id?: string;

  @Text({ optional: true, min: 1, max: 256, description: '`sem_put`: the key to write.' })
  target_sem_key?: string;

  @AnyJson({ optional: true, description: '`sem_put`: the value, at most 16 KB canonical.' })
  value?: Json;

  @Text({
    optional: true,
    min: 1,
    max: 128,
    pattern: CONSENT_ID,
    description: '`sensitive_consent`: the consent that shall cover sensitive data as well.',
  })
  consent_id?: string;

  @Text({
    optional: true,
    min: 1,
    max: 256,
    description: '`erasure`: whose data is erased, `user:<id>`, `sub:<id>` or `job:<seed>`.',
  })
  subject?: string;

  @OneOf(ERASURE_REASONS, {
    optional: true,
    description: '`erasure`: only `legal_erasure` is accepted before the retention period is over.',
  })
  reason_code?: ErasureReason;

  @Text({ min: 1, max: 8_000, description: 'At most 4,000 characters.' })
  justification!: string;

  @ObjectList({
    optional: true,
    max: EVIDENCE_ITEMS,
    description:
      'Any objects. `{note: {namespace, key, version?}}` cites a note of the caller: its stream, version and hash are recorded.',
  })
  evidence?: JsonObject[];
}

export class VoteDto {
  @OneOf(VOTES)
  vote!: Vote;

  @Text({ min: 1, max: 8_000, description: 'At most 4,000 characters.' })
  reason!: string;

  @OneOf(REASON_CODES, { optional: true, description: 'Only with `reject`.' })
  reason_code?: ReasonCode;

  @Text({
    min: 64,
    max: 64,
    pattern: /^[0-9a-f]{64}$/,
    description: 'The hash of the proposal that the reviewer saw.',
  })
  proposal_hash!: string;
}

export class RevisionDto {
  @AnyJson({ description: 'Replaces the proposed value; at most 16 KB canonical.' })
  value!: Json;

  @Text({ min: 1, max: 8_000, description: 'At most 4,000 characters.' })
  reason!: string;
}

export class QuestionDto {
  @Text({ min: 1, max: 8_000, description: 'At most 4,000 characters.' })
  question!: string;
}

export class AnswerDto {
  @Text({ min: 1, max: 8_000, description: 'At most 4,000 characters.' })
  answer!: string;
}

export class ActionRequestPath {
  @Text({ min: 1, max: 128, pattern: /^[A-Za-z0-9._:-]{1,128}$/ })
  id!: string;
}
