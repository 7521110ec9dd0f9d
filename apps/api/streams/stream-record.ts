import type { StreamableFile } from '@nestjs/common';
import { REPLAY_MODES, type ReplayMode } from '#domain/replay/stream-replay.js';
import type { RouteRoles } from '../platform/auth/roles.js';
import { OneOf, Text } from '../platform/http/fields.js';
import { Describes, ReadRequest } from '../platform/http/request.js';
import { BUNDLE, ReplayReportDto } from '../replay/record-view.js';

const AUDITORS: RouteRoles = { all: ['admin', 'auditor', 'council'], of: 'stream' };
const EXAMPLE = { stream: 'sem-world/fact/tower/height' };

/** A read of what the log has of a stream. */
abstract class StreamRecord<Body> extends ReadRequest<Body> {
  @Text({
    min: 1,
    max: 1_024,
    description: 'The name of the stream, such as `request-<id>`, `session-<id>` or `sem-<key>`.',
  })
  stream!: string;
}

@Describes({
  summary: 'The signed bundle of any stream as NDJSON, which `mace verify` checks offline',
  roles: AUDITORS,
  answers: BUNDLE,
  example: EXAMPLE,
  fails: ['NOT_FOUND'],
})
export class ExportStream extends StreamRecord<StreamableFile> {}

@Describes({
  summary: 'Replay any stream from its inputs and compare every event',
  roles: AUDITORS,
  answers: [200, ReplayReportDto],
  example: EXAMPLE,
  fails: ['NOT_FOUND', 'REPLAY_DIVERGENCE', 'INTEGRITY_FAILURE'],
})
export class ReplayAnyStream extends StreamRecord<ReplayReportDto> {
  @OneOf(REPLAY_MODES, { optional: true }) mode?: ReplayMode;
}
