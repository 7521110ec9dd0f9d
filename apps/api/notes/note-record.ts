import type { StreamableFile } from '@nestjs/common';
import { OneOf } from '../platform/http/fields.js';
import { Describes } from '../platform/http/request.js';
import { readersOf } from '../platform/auth/roles.js';
import { BUNDLE, ReplayReportDto } from '../replay/record-view.js';
import { REPLAY_MODES, type ReplayMode } from '#domain/replay/stream-replay.js';
import { NoteRead } from './note-fields.js';

@Describes({
  summary: 'The note’s signed bundle as NDJSON, which `mace verify` checks offline',
  roles: readersOf('note'),
  answers: BUNDLE,
  fails: ['NOT_FOUND'],
})
export class ExportNote extends NoteRead<StreamableFile> {}

@Describes({
  summary: 'Replay the note from its inputs and compare every event',
  roles: readersOf('note'),
  example: { namespace: ['trips'], key: 'oslo' },
  answers: [200, ReplayReportDto],
  fails: ['NOT_FOUND', 'REPLAY_DIVERGENCE', 'INTEGRITY_FAILURE'],
})
export class ReplayNote extends NoteRead<ReplayReportDto> {
  @OneOf(REPLAY_MODES, { optional: true }) mode?: ReplayMode;
}
