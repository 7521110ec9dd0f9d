import type { StreamableFile } from '@nestjs/common';
import { REPLAY_MODES, type ReplayMode } from '#domain/replay/stream-replay.js';
import { readersOf } from '../platform/auth/roles.js';
import { OneOf } from '../platform/http/fields.js';
import { Describes, ReadRequest } from '../platform/http/request.js';
import { BUNDLE, ReplayReportDto } from '../replay/record-view.js';
import { Person } from './memory-fields.js';

@Describes({
  summary: 'The signed bundle of a person’s memories as NDJSON, which `mace verify` checks offline',
  roles: readersOf('user'),
  answers: BUNDLE,
  fails: ['NOT_FOUND'],
})
export class ExportMemories extends ReadRequest<StreamableFile> {
  @Person() user_id?: string;
}

@Describes({
  summary: 'Replay a person’s memories from their inputs and compare every event',
  roles: readersOf('user'),
  answers: [200, ReplayReportDto],
  example: { user_id: 'ada', mode: 'audit' },
  fails: ['NOT_FOUND', 'REPLAY_DIVERGENCE', 'INTEGRITY_FAILURE'],
})
export class ReplayMemories extends ReadRequest<ReplayReportDto> {
  @Person() user_id?: string;
  @OneOf(REPLAY_MODES, { optional: true }) mode?: ReplayMode;
}
