import type { StreamableFile } from '@nestjs/common';
import { REPLAY_MODES, type ReplayMode } from '#domain/replay/stream-replay.js';
import { BUNDLE, ReplayReportDto } from '../replay/record-view.js';
import { readersOf } from '../platform/auth/roles.js';
import { OneOf } from '../platform/http/fields.js';
import { Describes, ReadRequest } from '../platform/http/request.js';
import { ConversationId, ConversationOwner } from './conversation-fields.js';

/** A read of what the log has of a conversation. */
abstract class ConversationRecord<Body> extends ReadRequest<Body> {
  @ConversationId() id!: string;
  @ConversationOwner() owner?: string;
}

@Describes({
  summary: 'The conversation’s signed bundle as NDJSON, which `mace verify` checks offline',
  roles: readersOf('conversation'),
  answers: BUNDLE,
  fails: ['NOT_FOUND', 'PRIVACY_BLOCKED'],
})
export class ExportConversation extends ConversationRecord<StreamableFile> {}

@Describes({
  summary: 'Replay the conversation from its inputs and compare every event',
  roles: readersOf('conversation'),
  answers: [200, ReplayReportDto],
  fails: ['NOT_FOUND', 'PRIVACY_BLOCKED', 'REPLAY_DIVERGENCE', 'INTEGRITY_FAILURE'],
  query: ['owner'],
})
export class ReplayConversation extends ConversationRecord<ReplayReportDto> {
  @OneOf(REPLAY_MODES, { optional: true }) mode?: ReplayMode;
}
