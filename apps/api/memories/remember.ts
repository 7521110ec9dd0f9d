import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Refusal } from '#domain/errors/refusal.js';
import {
  KEEPING_RULES,
  type KeptBecause,
  type NotKept,
  sortSentences,
} from '#domain/memories/kept-sentences.js';
import { MAX_SAID, MAX_TEXT } from '#domain/memories/limits.js';
import type { Remember } from '#domain/memories/memories.decider.js';
import { memoryWith } from '#domain/memories/state.js';
import { Answer } from '../platform/http/answer.js';
import { Text } from '../platform/http/fields.js';
import { Describes, WriteRequest } from '../platform/http/request.js';
import { RequestClaims } from '../platform/request-claims.js';
import type { MemoriesStore } from '../platform/stores.js';
import { MEMORIES_STORE } from '../platform/tokens.js';
import { MemoriesAccess } from './memories-access.js';
import { ExpiresIn, Person, Tags } from './memory-fields.js';
import { KeptDto, type KeptMemoryDto } from './memory-view.js';
import { SealedMemories } from './sealed-memories.js';

@Describes({
  summary:
    'Remember a text about a person, or what lasts of a person’s words, until it is forgotten',
  description:
    'A text is kept as it is. Of words that were said, statements about the speaker, standing instructions and what the speaker asks to remember are kept, each as a memory, and the rest is not.',
  roles: { own: ['agent', 'user'], of: 'user' },
  answers: [200, KeptDto],
  fails: ['PRIVACY_BLOCKED'],
})
export class RememberMemory extends WriteRequest<KeptDto> {
  @Text({ optional: true, min: 1, max: MAX_TEXT, description: 'One memory, kept as it is.' })
  text?: string;

  @Text({
    optional: true,
    max: MAX_SAID,
    description: 'In place of text: what the person said, of which what lasts is kept.',
  })
  said?: string;

  @Person() user_id?: string;
  @Tags('Words of your own by which a recall or a list may choose.') tags?: string[];
  @ExpiresIn() expires_in?: number;
}

/** A text to keep, and why; null for a text that was given to be remembered. */
interface ToKeep {
  readonly text: string;
  readonly because: KeptBecause | null;
}

@CommandHandler(RememberMemory)
export class RememberMemoryHandler implements ICommandHandler<RememberMemory> {
  constructor(
    @Inject(MEMORIES_STORE) private readonly memories: MemoriesStore,
    private readonly access: MemoriesAccess,
    private readonly sealed: SealedMemories,
    private readonly claims: RequestClaims,
  ) {}

  async execute(asked: RememberMemory): Promise<Answer<KeptDto>> {
    const { actor, identity } = asked;
    const owner = this.access.actingFor(actor, asked.user_id);
    const { texts, not_kept } = sorted(asked);
    const commands: Remember[] = [];
    const kept: string[] = [];
    for (const one of texts) {
      const command = await this.command(owner, one, asked);
      if (command === undefined) not_kept.push({ text: one.text, reason: 'sensitive' });
      else {
        commands.push(command);
        kept.push(one.text);
      }
    }
    if (commands.length === 0) return Answer.written({ kept: [], not_kept }, undefined);
    const stream = await this.claims.streamFor(identity, await this.access.streamOf(owner));
    const { results, after, position } = await this.memories.execute(stream, commands, identity);
    const written = kept.flatMap((text, place): readonly KeptMemoryDto[] => {
      const { fingerprint, at } = commands[place]!;
      const result = results[place] ?? memoryWith(after.state, fingerprint, at);
      if (!result) return [];
      const existed = !results[place];
      return [{ id: result.memory_id, version: result.version, text, existed }];
    });
    return Answer.written({ kept: written, not_kept }, position);
  }

  /** Returns the command for a text; undefined for a sentence that says what nobody asked to keep. */
  private async command(
    owner: string,
    { text, because }: ToKeep,
    { identity, tags = [], expires_in }: RememberMemory,
  ): Promise<Remember | undefined> {
    const found = await this.sealed.inspect(text);
    const isAsked = because === null || because === 'asked';
    if (found?.category === 'high' && !isAsked) return undefined;
    const at = identity.received_at;
    return {
      type: 'remember',
      owner,
      ...(await this.sealed.seal(owner, { text, tags }, found)),
      kept: because === null ? null : { rules: KEEPING_RULES, because },
      expires_at: expires_in === undefined ? null : later(at, expires_in),
      at,
    };
  }
}

/** @throws Refusal INVALID_INPUT unless the request has either a text or what was said */
function sorted({ text, said }: RememberMemory): {
  readonly texts: readonly ToKeep[];
  readonly not_kept: NotKept[];
} {
  if ((text === undefined) === (said === undefined))
    throw new Refusal('INVALID_INPUT', {
      reason: 'give text, which is kept as it is, or said, of which what lasts is kept',
    });
  if (text !== undefined) {
    if (text.trim() === '') throw new Refusal('INVALID_INPUT', { reason: 'text: is empty' });
    return { texts: [{ text, because: null }], not_kept: [] };
  }
  const { kept, not_kept } = sortSentences(said ?? '');
  return { texts: kept, not_kept: [...not_kept] };
}

const SECOND_MS = 1_000;
const later = (at: string, seconds: number): string =>
  new Date(Date.parse(at) + seconds * SECOND_MS).toISOString();
