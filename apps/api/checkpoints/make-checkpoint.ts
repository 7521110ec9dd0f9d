import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { randomUUID } from 'node:crypto';
import { checkpointStream } from '#domain/stream-names.js';
import { Answer } from '../platform/http/answer.js';
import { Describes, WriteRequest } from '../platform/http/request.js';
import { RequestClaims } from '../platform/request-claims.js';
import type { CheckpointStore } from '../platform/stores.js';
import { CHECKPOINT_STORE } from '../platform/tokens.js';
import { CheckpointMaking, reportOf } from './checkpoint-making.js';
import { CheckpointRunDto } from './checkpoint-view.js';
import { LogGrowth } from './log-growth.js';
import { soon } from '../integrity/soon.js';

@Describes({
  summary: 'Sign where every stream of the log ends, and keep the file outside',
  description:
    'If a checkpoint is made already, or the log has not grown since the newest one, the answer is about that one. See docs/checkpoints.md.',
  roles: { all: ['admin', 'auditor'] },
  answers: [200, CheckpointRunDto],
  accepted: 'The log is still read; GET /v1/integrity/checkpoints then lists the checkpoint.',
})
export class MakeLogCheckpoint extends WriteRequest<CheckpointRunDto> {}

/**
 * Makes a checkpoint of the log, and returns it or, after 10 s, its progress. Returns the newest one if another would say
 * the same.
 */
@CommandHandler(MakeLogCheckpoint)
export class MakeLogCheckpointHandler implements ICommandHandler<MakeLogCheckpoint> {
  constructor(
    @Inject(CHECKPOINT_STORE) private readonly store: CheckpointStore,
    private readonly making: CheckpointMaking,
    private readonly growth: LogGrowth,
    private readonly claims: RequestClaims,
  ) {}

  async execute({ identity }: MakeLogCheckpoint): Promise<Answer<CheckpointRunDto>> {
    const proposed = (await this.growth.sameCheckpoint()) ?? checkpointStream(randomUUID());
    const stream = await this.claims.streamFor(identity, proposed);
    const { state, position } = await this.store.load(stream);
    if (state.made !== null) return Answer.written(reportOf(state.made), position);
    const { report, finished } = await this.making.start(stream, identity);
    const ended = finished && (await soon(finished));
    return ended === undefined
      ? Answer.progress(report, false)
      : Answer.written(ended.report, ended.position);
  }
}
