import { Inject, type StreamableFile } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { headersHash, MOMENT, momentLine } from '#domain/replay/moment-file.js';
import type { SignedHeader } from '#domain/replay/bundle.js';
import { isPermitted } from '#domain/errors/permit.js';
import type { Actor } from '#domain/recorded-event.js';
import type { EventStore } from '#event-store/event-store.js';
import { countAt } from '#event-store/stream-past.js';
import { MomentText, SeedText, Text, UserIdText } from '../platform/http/fields.js';
import { Describes, ReadRequest } from '../platform/http/request.js';
import { EVENT_STORE } from '../platform/tokens.js';
import { BUNDLE, bundleFile } from '../replay/record-view.js';
import { StreamRecords } from '../replay/stream-records.js';
import { StreamAccess } from '../streams/stream-access.js';
import { MomentStreams } from './moment-streams.js';
import { type BegunMoment, Moments } from '../moments/moments.js';

@Describes({
  summary: 'What the log held at a time, as one signed file, which `mace verify` checks offline',
  description:
    'The first line states the time, the position and its hash; the signed bundles of the streams follow, each up to the position.',
  roles: { all: ['admin', 'auditor', 'council'], of: 'stream' },
  answers: BUNDLE,
  example: { at: '2026-11-25T10:32:00Z', job_seed: 'trip-1' },
  fails: ['NOT_FOUND'],
  reads: ['recorded_times', 'sem'],
})
export class ExportMoment extends ReadRequest<StreamableFile> {
  @MomentText({
    optional: true,
    description:
      'A time that has passed, or the position of an event. Default: the end of the log.',
  })
  at?: string;

  @SeedText({ optional: true, description: 'The job and the facts that it had read.' })
  job_seed?: string;

  @UserIdText({ optional: true, description: 'The facts and the memories of this person.' })
  user_id?: string;

  @Text({
    optional: true,
    max: 256,
    description:
      'The facts whose keys begin with this. Default: all, unless a job or a user is named.',
  })
  prefix?: string;
}

@QueryHandler(ExportMoment)
export class ExportMomentHandler implements IQueryHandler<ExportMoment> {
  constructor(
    private readonly moments: Moments,
    private readonly streams: MomentStreams,
    private readonly access: StreamAccess,
    private readonly records: StreamRecords,
    @Inject(EVENT_STORE) private readonly eventStore: EventStore,
  ) {}

  async execute(asked: ExportMoment): Promise<StreamableFile> {
    const moment = await this.moments.begun(asked.at ?? (await this.lastPosition()), 'sem');
    const position = BigInt(moment.position);
    const streams = await this.streams.of(asked.actor, asked, position);
    const headers: SignedHeader[] = [];
    let left_out = 0;
    for (const stream of streams) {
      const count = await countAt(this.eventStore, stream, position);
      if (count === 0) continue;
      if (await this.mayRead(asked.actor, stream))
        headers.push(await this.records.header(stream, count));
      else left_out += 1;
    }
    return bundleFile(`moment-${moment.position}`, this.lines(moment, headers, left_out));
  }

  /** The log has an event since the first start. */
  private async lastPosition(): Promise<string> {
    return String((await this.eventStore.lastPosition()) ?? 0);
  }

  private async *lines(
    moment: BegunMoment,
    headers: readonly SignedHeader[],
    left_out: number,
  ): AsyncGenerator<string> {
    yield momentLine(
      await this.records.sign({
        document: MOMENT,
        ...moment,
        created_at: new Date().toISOString(),
        streams: headers.length,
        left_out,
        headers_hash: headersHash(headers),
      }),
    );
    for (const header of headers) yield* this.records.linesOf(header);
  }

  private mayRead(actor: Actor, stream: string): Promise<boolean> {
    return isPermitted(() => this.access.existing(actor, { stream }));
  }
}
