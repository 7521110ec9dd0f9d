import {
  Body,
  Controller,
  Get,
  HttpCode,
  Inject,
  Module,
  Param,
  Post,
  Query,
} from '@nestjs/common';
import { Command, CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { Caller } from '#apps/api/platform/auth/caller.decorator.js';
import { Roles } from '#apps/api/platform/auth/roles.js';
import { Answer } from '#apps/api/platform/http/answer.js';
import { AnyJson, Commands, OneOf, Text, Whole } from '#apps/api/platform/http/fields.js';
import { Identity, type RequestIdentity } from '#apps/api/platform/http/identity.decorator.js';
import { ReadsFrom } from '#apps/api/platform/http/reads-from.decorator.js';
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

export class NoteBody {
  @Text({ min: 1, max: 20, pattern: /^[a-z_]+$/ }) readonly title!: string;
  @AnyJson({ optional: true }) readonly value?: Json;
  @Commands('op', { note: NoteCommand, pause: PauseCommand }, { max: 3, optional: true })
  readonly commands?: readonly (NoteCommand | PauseCommand)[];
}

export class NoteQuery {
  @Whole({ min: 1, max: 100, optional: true }) readonly limit?: number;
}

export class NotePath {
  @Text({ min: 1, max: 128, pattern: /^[A-Za-z0-9._:-]+$/ }) readonly id!: string;
}

export interface NoteTaken {
  readonly value: Json;
  readonly commands: readonly string[];
  readonly actor: Actor;
  readonly command_id: string;
  readonly body_hash: string;
}

class TakeNote extends Command<Answer<NoteTaken>> {
  constructor(
    readonly body: NoteBody,
    readonly caller: Actor,
    readonly identity: RequestIdentity,
  ) {
    super();
  }
}

@CommandHandler(TakeNote)
class TakeNoteHandler implements ICommandHandler<TakeNote> {
  constructor(@Inject(EVENT_STORE) private readonly eventStore: EventStore) {}

  async execute({ body, caller, identity }: TakeNote): Promise<Answer<NoteTaken>> {
    if (body.title === 'job_ended') throw new Refusal('JOB_ENDED', { job_seed: 'sample' });
    if (body.title === 'broken') throw new TypeError('a secret that nobody may see');
    const answer: NoteTaken = {
      value: body.value ?? null,
      commands: (body.commands ?? []).map((command) => command.constructor.name),
      actor: caller,
      command_id: identity.command_id,
      body_hash: identity.body_hash,
    };
    return Answer.written(answer, (await this.eventStore.lastPosition()) ?? 0n);
  }
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
  @HttpCode(200)
  @Roles({ all: ['agent', 'admin'] })
  take(
    @Body() body: NoteBody,
    @Caller() caller: Actor,
    @Identity() identity: RequestIdentity,
  ): Promise<Answer<NoteTaken>> {
    return this.bus.execute(new TakeNote(body, caller, identity));
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
  @ReadsFrom('sem')
  @Roles({ all: ['agent'] })
  read(@Param() path: NotePath, @Query() query: NoteQuery): object {
    return { id: path.id, limit: query.limit ?? null };
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
