import { ERASURE_REASONS, type ErasureReason } from '#domain/action-request/erasure.js';
import { ACTION_REQUEST_KINDS, type ActionRequestKind } from '#domain/action-request/events.js';
import { CONSENT_ID } from '#domain/consent/state.js';
import { EVIDENCE_ITEMS } from '#domain/episode/summaries.js';
import type { Json, JsonObject } from '#domain/json.js';
import { subjectForms } from '#domain/privacy/subject.js';
import { AnyJson, Flag, IdText, ObjectList, OneOf, Text } from '../../platform/http/fields.js';
import { Describes, WriteRequest } from '../../platform/http/request.js';
import { ActionRequestViewDto } from '../action-request-view.js';
import { DryRunDto } from './dry-run-view.js';
import { Words } from '../request-fields.js';

@Describes<Propose, ActionRequestViewDto | DryRunDto>({
  summary:
    'Propose a fact, consent for sensitive data, or an erasure to the council; changes none of them',
  roles: { own: ['agent', 'user'], of: 'user', all: ['admin'] },
  example: {
    ...{
      episodic_id: 'ep:00000000-0000-5000-8000-000000000000',
      target_sem_key: 'world/fact/tower/height',
      value: 330,
    },
    ...{ justification: 'The page of its owner says so.' },
  },
  answers: [201, ActionRequestViewDto],
  dryRun: DryRunDto,
  query: ['dry_run'],
  fails: ['NOT_FOUND', 'PRIVACY_BLOCKED'],
})
export class Propose extends WriteRequest<ActionRequestViewDto | DryRunDto> {
  @Flag({
    optional: true,
    description: 'True: nothing is proposed; the answer says what would become of the proposal.',
  })
  dry_run?: boolean;

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
    form: 'be the consent_id of an answer',
    description: '`sensitive_consent`: the consent that shall cover sensitive data as well.',
  })
  consent_id?: string;

  @Text({
    optional: true,
    min: 1,
    max: 300,
    description: `\`erasure\`: whose data is erased, ${subjectForms('`')}; of facts, only those that the council has cleared.`,
  })
  subject?: string;

  @OneOf(ERASURE_REASONS, {
    optional: true,
    description: '`erasure`: only `legal_erasure` is accepted before the retention period is over.',
  })
  reason_code?: ErasureReason;

  @Words() justification!: string;

  @ObjectList({
    optional: true,
    max: EVIDENCE_ITEMS,
    description:
      'Any objects. `{note: {namespace, key, version?}}` cites a note of the caller: its stream, version and hash are recorded.',
  })
  evidence?: JsonObject[];
}
