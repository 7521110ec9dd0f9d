import {
  CommandHandler,
  type ICommandHandler,
  type IQueryHandler,
  QueryHandler,
} from '@nestjs/cqrs';
import { Answer } from '../platform/http/answer.js';
import { IdText } from '../platform/http/fields.js';
import { arrivingFile, FileBody } from '../platform/http/file-body.js';
import { Describes, FromRequest, ReadRequest, ServiceRequest } from '../platform/http/request.js';
import { LogComparisonDto, LogComparisonsDto } from './checkpoint-view.js';
import { CheckpointFiles } from './get-checkpoint-file.js';
import { LogComparison, type RunningComparison } from './log-comparison.js';
import { soon } from '../integrity/soon.js';

const ACCEPTED = 'The log is still read; GET /v1/integrity/comparisons returns the result.';

@Describes({
  summary: 'Compare the log with a checkpoint that was made here',
  roles: { all: ['admin', 'auditor'] },
  answers: [200, LogComparisonDto],
  accepted: ACCEPTED,
  fails: ['NOT_FOUND', 'READ_UNAVAILABLE'],
  reads: ['checkpoints'],
})
export class CompareWithCheckpoint extends ServiceRequest<Answer<LogComparisonDto>> {
  @IdText() checkpoint_id!: string;
}

@Describes({
  summary: 'Compare the log with a checkpoint file, which is the body',
  roles: { all: ['admin', 'auditor'] },
  answers: [200, LogComparisonDto],
  accepted: ACCEPTED,
  fails: ['READ_UNAVAILABLE', 'RATE_LIMITED'],
  body: FileBody,
})
export class CompareWithFile extends ServiceRequest<Answer<LogComparisonDto>> {
  @FromRequest(arrivingFile) readonly file!: AsyncIterable<Buffer>;
}

const answerOf = async ({ report, finished }: RunningComparison) => {
  const ended = await soon(finished);
  return Answer.progress(ended ?? report, ended !== undefined);
};

@CommandHandler(CompareWithCheckpoint)
export class CompareWithCheckpointHandler implements ICommandHandler<CompareWithCheckpoint> {
  constructor(
    private readonly files: CheckpointFiles,
    private readonly comparison: LogComparison,
  ) {}

  async execute({ checkpoint_id }: CompareWithCheckpoint): Promise<Answer<LogComparisonDto>> {
    const { bytes } = await this.files.read(checkpoint_id);
    return answerOf(await this.comparison.start({ checkpoint_id, bytes }));
  }
}

@CommandHandler(CompareWithFile)
export class CompareWithFileHandler implements ICommandHandler<CompareWithFile> {
  constructor(private readonly comparison: LogComparison) {}

  async execute({ file, actor: { sub } }: CompareWithFile): Promise<Answer<LogComparisonDto>> {
    return answerOf(await this.comparison.start({ checkpoint_id: null, sub, bytes: file }));
  }
}

@Describes({
  summary: 'The last comparison of the log with a checkpoint, and the one that runs',
  roles: { all: ['admin', 'auditor'] },
  answers: [200, LogComparisonsDto],
})
export class ListLogComparisons extends ReadRequest<LogComparisonsDto> {}

@QueryHandler(ListLogComparisons)
export class ListLogComparisonsHandler implements IQueryHandler<ListLogComparisons> {
  constructor(private readonly comparison: LogComparison) {}

  async execute(): Promise<LogComparisonsDto> {
    const { last = null, running = null } = await this.comparison.reports();
    return { last, running };
  }
}
