import {
  ACTION_REQUEST_KINDS,
  type ActionRequestKind,
  type ActionRequestStatus,
} from '#domain/action-request/events.js';
import { RISK_LEVELS, type RiskLevel } from '#domain/action-request/risk-reasons.js';
import {
  QUESTION_STATES,
  type QuestionState,
  QUEUE_ORDERS,
  type QueueOrder,
} from '#projections/action-requests/queue-sql.js';
import { OneOf, Text, Whole } from '../../platform/http/fields.js';
import { STATUSES } from './action-request.dto.js';

export class ActionRequestsQuery {
  @OneOf(STATUSES, { optional: true })
  status?: ActionRequestStatus;

  @OneOf(RISK_LEVELS, {
    optional: true,
    description: 'Only for the council, auditors and admins, as `order=risk` and `order=deadline`.',
  })
  risk?: RiskLevel;

  @OneOf(ACTION_REQUEST_KINDS, { optional: true })
  kind?: ActionRequestKind;

  @Text({ optional: true, min: 1, max: 256, description: 'The sub of the proposer.' })
  proposer?: string;

  @Text({ optional: true, min: 1, max: 256, description: 'The target begins with this text.' })
  key_prefix?: string;

  @Text({
    optional: true,
    min: 1,
    max: 256,
    description: 'Occurs in the target or the justification, in upper or lower case.',
  })
  text?: string;

  @OneOf(['true', 'false'], {
    optional: true,
    description: 'Whether the caller has voted on the current value.',
  })
  voted?: 'true' | 'false';

  @OneOf(['true', 'false'], {
    optional: true,
    description:
      'Whether an approval would be refused now; only pending requests. A page may then have fewer than `limit` requests, or none, and a next one. Only for the council, auditors and admins.',
  })
  would_be_refused?: 'true' | 'false';

  @OneOf(QUESTION_STATES, {
    optional: true,
    description:
      'The last question waits for its answer, the last question of a reviewer is answered, or that of the caller is.',
  })
  question?: QuestionState;

  @OneOf(QUEUE_ORDERS, {
    optional: true,
    description:
      '`oldest` by default. `deadline`: what expires first, then the highest risk; `risk`: the other way round.',
  })
  order?: QueueOrder;

  @OneOf(['true'], {
    optional: true,
    description: 'Adds the numbers of requests by status, by risk and by the states of questions.',
  })
  counts?: 'true';

  @Text({
    optional: true,
    min: 1,
    max: 256,
    pattern: /^[A-Za-z0-9_-]+$/,
    description: 'The next_cursor of the previous page, which had the same order.',
  })
  cursor?: string;

  @Whole({ optional: true, min: 1, max: 500 })
  limit?: number;
}
