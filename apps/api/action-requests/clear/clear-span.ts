import { Inject } from '@nestjs/common';
import { CommandHandler } from '@nestjs/cqrs';
import { MAX_FINDINGS } from '#domain/action-request/gated-value.js';
import type { Json } from '#domain/json.js';
import { personOf } from '#domain/ownership/access.js';
import { requestStream } from '#domain/stream-names.js';
import { Answer } from '../../platform/http/answer.js';
import { Text, Whole } from '../../platform/http/fields.js';
import { Describes, WriteRequest } from '../../platform/http/request.js';
import type { ActionRequestStore } from '../../platform/stores.js';
import { ACTION_REQUEST_STORE } from '../../platform/tokens.js';
import { ActionRequestViewDto } from '../action-request-view.js';
import { RequestReport } from '../execute/request-report.js';
import { RequestGate } from '../propose/request-gate.js';
import { ShownRequests } from '../read/shown-requests.js';
import { RequestId, Words } from '../request-fields.js';

@Describes({
  summary: 'A council member says that one finding in the proposed value is not personal data',
  roles: { all: ['council'] },
  answers: [201, ActionRequestViewDto],
  fails: ['NOT_FOUND', 'PRIVACY_BLOCKED'],
})
export class ClearSpan extends WriteRequest<ActionRequestViewDto> {
  @RequestId() id!: string;

  @Text({
    min: 64,
    max: 64,
    pattern: /^[0-9a-f]{64}$/,
    form: 'be the proposal_hash of the request: 64 hex digits',
    description: 'The hash of the proposal that the member saw.',
  })
  proposal_hash!: string;

  @Whole({
    min: 0,
    max: MAX_FINDINGS - 1,
    description: 'The number of the finding in the `flagged_spans` of the dossier.',
  })
  finding!: number;

  @Words() reason!: string;
}

/** Records that a finding is not personal data. It counts once two members have said so (SPEC W8). */
@CommandHandler(ClearSpan)
export class ClearSpanHandler {
  constructor(
    @Inject(ACTION_REQUEST_STORE) private readonly requests: ActionRequestStore,
    private readonly report: RequestReport,
    private readonly gate: RequestGate,
    private readonly shown: ShownRequests,
  ) {}

  async execute(asked: ClearSpan): Promise<Answer<Json>> {
    const { actor, id, identity, proposal_hash, finding } = asked;
    const stream = requestStream(id);
    const words = await this.gate.text(asked.reason, 'reason');
    const about = { proposal_hash, finding, cleared_by: personOf(actor) };
    const { version } = await this.requests.execute(
      stream,
      [{ type: 'clear', ...about, ...words, at: identity.received_at }],
      identity,
    );
    // If the report fails, the clearance stays valid, and the obligation worker lists it later.
    await this.report.write(stream).catch(() => undefined);
    // A retry gets the request as it was after this clearance.
    const { state, position } = await this.requests.loadAt(stream, version);
    return Answer.written(await this.shown.of(actor, state), position);
  }
}
