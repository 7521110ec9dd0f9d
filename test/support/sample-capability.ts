import { Controller, Get, Inject, Module, Post } from '@nestjs/common';
import { CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { Roles } from '#apps/api/platform/auth/roles.js';
import {
  ApiField,
  JSON_OBJECT,
  JSON_VALUE,
  list,
  orNull,
  TEXT,
  WHOLE,
} from '#apps/api/platform/http/answer-fields.js';
import { Answer } from '#apps/api/platform/http/answer.js';
import { AnyJson, Commands, OneOf, Text, Whole } from '#apps/api/platform/http/fields.js';
import { Describes, ReadRequest, Request, WriteRequest } from '#apps/api/platform/http/request.js';
import { EVENT_STORE } from '#apps/api/platform/tokens.js';
import { Refusal } from '#domain/errors/refusal.js';
import type { Json } from '#domain/json.js';
import type { Actor } from '#domain/recorded-event.js';
import type { EventStore } from '#event-store/event-store.js';

export class NoteCommand {
  @OneOf(['note']) readonly op!: string;
  @AnyJson({ description: 'What is noted.' }) readonly value!: Json;
}

export class PauseCommand {
  @OneOf(['pause']) readonly op!: string;
  @Whole({ min: 1, max: 10, optional: true }) readonly count?: number;
}

export class NoteTaken {
  @ApiField(JSON_VALUE) readonly value!: Json;
  @ApiField(list(TEXT)) readonly commands!: readonly string[];
  @ApiField(JSON_OBJECT) readonly actor!: Actor;
  @ApiField(TEXT) readonly command_id!: string;
  @ApiField(TEXT) readonly body_hash!: string;
}

@Describes({
  summary: 'Take a note',
  roles: { all: ['agent', 'admin'] },
  answers: [200, NoteTaken],
})
export class TakeNote extends WriteRequest<NoteTaken> {
  @Text({ min: 1, max: 20, pattern: /^[a-z_]+$/ }) readonly title!: string;
  @AnyJson({ optional: true }) readonly value?: Json;
  @Commands('op', { note: NoteCommand, pause: PauseCommand }, { max: 3, optional: true })
  readonly commands?: readonly (NoteCommand | PauseCommand)[];
}

@CommandHandler(TakeNote)
class TakeNoteHandler implements ICommandHandler<TakeNote> {
  constructor(@Inject(EVENT_STORE) private readonly eventStore: EventStore) {}

  async execute({
    title,
    value = null,
    commands = [],
    actor,
    identity,
  }: TakeNote): Promise<Answer<NoteTaken>> {
    if (title === 'job_ended') throw new Refusal('JOB_ENDED', { job_seed: 'sample' });
    if (title === 'broken') throw new TypeError('a secret that nobody may see');
    const answer: NoteTaken = {
      value,
      commands: commands.map((command) => command.constructor.name),
      actor,
      command_id: identity.command_id,
      body_hash: identity.body_hash,
    };
    return Answer.written(answer, (await this.eventStore.lastPosition()) ?? 0n);
  }
}

class NoteRead {
  @ApiField(TEXT) readonly id!: string;
  @ApiField(orNull(WHOLE)) readonly limit!: number | null;
}

@Describes({
  summary: 'Read a note',
  roles: { all: ['agent'] },
  answers: [200, NoteRead],
  reads: ['sem'],
})
export class ReadNote extends ReadRequest<NoteRead> {
  @Text({ min: 1, max: 128, pattern: /^[A-Za-z0-9._:-]+$/ }) readonly id!: string;
  @Whole({ min: 1, max: 100, optional: true }) readonly limit?: number;
}

/**
 * A small capability for the tests of the platform, so that these tests need no capability of the
 * product.
 */
@ApiTags('sample')
@Controller('v1/sample')
class SampleController {
  private turn = 0;
  private nextTurn: NodeJS.Immediate | undefined;

  constructor(private readonly bus: CommandBus) {}

  @Post('notes')
  take(@Request() note: TakeNote) {
    return this.bus.execute(note);
  }

  /** Keeps the event loop busy for 20 ms, and returns the number of the turn in which it ran. */
  @Get('busy')
  @Roles({ all: ['agent'] })
  busy(): { turn: number } {
    const turn = this.turn;
    this.nextTurn ??= setImmediate(() => {
      this.nextTurn = undefined;
      this.turn += 1;
    });
    const until = performance.now() + 20;
    while (performance.now() < until);
    return { turn };
  }

  @Get('notes/:id')
  read(@Request() { id, limit }: ReadNote): NoteRead {
    return { id, limit: limit ?? null };
  }
}

/** Declares no callers, so it refuses all of them. */
@ApiTags('sample')
@Controller('v1/sample/undeclared')
class UndeclaredController {
  @Get()
  read(): object {
    return {};
  }
}

@Module({ controllers: [SampleController, UndeclaredController], providers: [TakeNoteHandler] })
export class SampleCapability {}
