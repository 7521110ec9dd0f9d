import {
  Body,
  Controller,
  Get,
  HttpCode,
  Inject,
  Param,
  Post,
  Query,
  Res,
  StreamableFile,
} from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Readable } from 'node:stream';
import { foldUserId } from '#domain/canonical-key/canonical-key.js';
import { CHAIN_START } from '#domain/determinism/hash-chain.js';
import { jobStream } from '#domain/job/state.js';
import type { Json } from '#domain/json.js';
import { hasRole, ownUserId } from '#domain/ownership/access.js';
import { plainView } from '#domain/plain-view.js';
import type { Actor } from '#domain/recorded-event.js';
import { bundleLines } from '#domain/replay/bundle.js';
import { readRecorded } from '#event-store/aggregate-store.js';
import type { EventStore, LoggedEvent } from '#event-store/event-store.js';
import { JobQueries } from '#projections/jobs/queries.js';
import { JobPath } from '../jobs/dto/job-path.dto.js';
import { JobAccess } from '../jobs/job-access.js';
import { Caller } from '../platform/auth/caller.decorator.js';
import { Roles } from '../platform/auth/roles.js';
import { ReadsFrom } from '../platform/http/reads-from.decorator.js';
import { EVENT_STORE } from '../platform/tokens.js';
import { EventsQuery, JobsQuery, ReplayDto } from './dto/audit.dto.js';
import { ReplayJob } from './replay-job.handler.js';

const DEFAULT_JOBS = 50;
const DEFAULT_EVENTS = 100;
const FULL_PAGE_CHARACTERS = 4 * 1024 * 1024;

const eventView = ({ stream, number, type, data, metadata, position }: LoggedEvent) => ({
  stream,
  number,
  position: position.toString(),
  type,
  data,
  metadata,
});

async function* withLineFeeds(lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) yield `${line}\n`;
}

/** The jobs that a caller reaches as their owner (SPEC I9). */
function ownedBy(actor: Actor): { ownerSub: string; ownerUserId?: string } {
  const own = ownUserId(actor);
  return { ownerSub: actor.sub, ...(own === undefined ? {} : { ownerUserId: foldUserId(own) }) };
}

/** What an auditor sees of a job: its record, whole and as it is (SPEC X1, X4). */
@ApiTags('audit')
@Controller('v1/jobs')
export class JobRecordController {
  constructor(
    @Inject(EVENT_STORE) private readonly eventStore: EventStore,
    private readonly reads: QueryBus,
    private readonly queries: JobQueries,
    private readonly access: JobAccess,
  ) {}

  @Get()
  @ReadsFrom('jobs')
  @Roles('agent', 'user', 'admin', 'auditor', 'council')
  @ApiOperation({ summary: 'Jobs, newest first; to agents, their own' })
  async list(@Caller() actor: Actor, @Query() { status, session_id, cursor, limit }: JobsQuery) {
    const size = limit ?? DEFAULT_JOBS;
    const jobs = await this.queries.list({
      ...(status === undefined ? {} : { status }),
      ...(session_id === undefined ? {} : { sessionId: session_id }),
      ...(hasRole(actor, 'admin', 'auditor', 'council') ? {} : ownedBy(actor)),
      ...(cursor === undefined ? {} : { before: cursor }),
      limit: size + 1,
    });
    const page = jobs.slice(0, size);
    return { jobs: page, next_cursor: jobs.length > size ? (page.at(-1)?.position ?? null) : null };
  }

  @Get(':seed/events')
  @Roles('agent', 'user', 'admin', 'auditor', 'council')
  @ApiOperation({ summary: 'A job’s events as they are stored, paged; `plain` for reading' })
  async events(
    @Caller() actor: Actor,
    @Param() { seed }: JobPath,
    @Query() { from = 0, limit = DEFAULT_EVENTS, format }: EventsQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    await this.access.toRead(actor, seed);
    const { events, next_from } = await this.page(jobStream(seed), from, limit);
    if (format !== 'plain') return { events: events.map(eventView), next_from };
    reply.header('content-type', 'text/plain; charset=utf-8');
    return events.map((event) => `${plainView(eventView(event) as Json)}\n`).join('\n');
  }

  /** At most `limit` events, fewer where they are large: a page is held in memory. */
  private async page(stream: string, from: number, limit: number) {
    const events: LoggedEvent[] = [];
    let characters = 0;
    for await (const event of this.eventStore.readStream(stream, { from, limit })) {
      events.push(event);
      characters += JSON.stringify(event.data).length;
      if (characters > FULL_PAGE_CHARACTERS) return { events, next_from: event.number + 1 };
    }
    const last = events.at(-1);
    const isFull = last !== undefined && events.length === limit;
    return { events, next_from: isFull ? last.number + 1 : null };
  }

  @Get(':seed/bundle')
  @Roles('agent', 'user', 'admin', 'auditor', 'council')
  @ApiOperation({
    summary: 'The whole record as NDJSON, verified offline by `mace verify` (SPEC X4)',
  })
  async bundle(@Caller() actor: Actor, @Param() { seed }: JobPath): Promise<StreamableFile> {
    await this.access.toRead(actor, seed);
    const stream = jobStream(seed);
    const last = await this.eventStore.lastOf(stream);
    const to = last?.number ?? -1;
    const header = {
      stream,
      event_count: to + 1,
      head_hash: last?.metadata.hash ?? CHAIN_START,
    };
    const lines = bundleLines(header, readRecorded(this.eventStore, stream, { to }));
    return new StreamableFile(Readable.from(withLineFeeds(lines)), {
      type: 'application/x-ndjson; charset=utf-8',
      disposition: `attachment; filename="${seed.replaceAll(':', '_')}.ndjson"`,
    });
  }

  @Post(':seed/replays')
  @HttpCode(200)
  @Roles('agent', 'user', 'admin', 'auditor', 'council')
  @ApiOperation({
    summary: 'Decide the job again from its inputs and compare every event (SPEC X1)',
  })
  replay(@Caller() actor: Actor, @Param() { seed }: JobPath, @Body() { mode }: ReplayDto) {
    return this.reads.execute(new ReplayJob(actor, seed, mode ?? 'audit'));
  }
}
