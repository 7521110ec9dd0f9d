import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { inSlices } from '#bounded/slices.js';
import { Refusal } from '#domain/errors/refusal.js';
import {
  becauseOf,
  KEEPING_RULES,
  type KeptBecause,
  type NotKept,
  sortingSentences,
} from '#domain/memories/kept-sentences.js';
import { MAX_SAID, MAX_TAGS, MAX_TEXT } from '#domain/memories/limits.js';
import { isBlank } from '#domain/memories/recalled-text.js';
import type { Remember } from '#domain/memories/memories.decider.js';
import { isRemembered, type MemoriesState, memoryWith } from '#domain/memories/state.js';
import { afterSeconds } from '#domain/time-to-live.js';
import type { EventStore } from '#event-store/event-store.js';
import { MemoriesQueries } from '#projections/memories/queries.js';
import { Answer } from '../platform/http/answer.js';
import { Text } from '../platform/http/fields.js';
import { Describes, WriteRequest } from '../platform/http/request.js';
import { lastBefore } from '../platform/last-before.js';
import { LogEnd } from '../platform/log-end.js';
import { RequestClaims } from '../platform/request-claims.js';
import type { MemoriesStore } from '../platform/stores.js';
import { EVENT_STORE, MEMORIES_STORE } from '../platform/tokens.js';
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
  example: { said: 'I am allergic to peanuts. What can I cook?', user_id: 'ada', tags: ['food'] },
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

/** A text to keep, and which rule keeps it; null for a text that is kept because it was given. */
interface ToKeep {
  readonly text: string;
  readonly because: KeptBecause | null;
  /** True for a text that was given to be remembered. */
  readonly isGiven: boolean;
}

@CommandHandler(RememberMemory)
export class RememberMemoryHandler implements ICommandHandler<RememberMemory> {
  constructor(
    @Inject(MEMORIES_STORE) private readonly memories: MemoriesStore,
    private readonly access: MemoriesAccess,
    private readonly sealed: SealedMemories,
    private readonly claims: RequestClaims,
    private readonly queries: MemoriesQueries,
    private readonly logEnd: LogEnd,
    @Inject(EVENT_STORE) private readonly eventStore: EventStore,
  ) {}

  async execute(asked: RememberMemory): Promise<Answer<KeptDto>> {
    const { actor, identity } = asked;
    const owner = this.access.actingFor(actor, asked.user_id);
    const { texts, not_kept } = await sorted(asked);
    if (texts.length === 0) return Answer.written({ kept: [], not_kept }, undefined);
    const own = await this.access.streamOf(owner);
    const known = this.memories.inMemory(own) ?? (await this.memories.load(own)).state;
    const commands: Remember[] = [];
    const kept: string[] = [];
    for (const one of texts) {
      const command = await this.command(owner, known, one, asked);
      if (command === undefined) not_kept.push({ text: one.text, reason: 'sensitive' });
      else {
        commands.push(command);
        kept.push(one.text);
      }
    }
    if (commands.length === 0) return Answer.written({ kept: [], not_kept }, undefined);
    const { stream, retried } = await this.claims.claimed(identity, own);
    const found = await this.foundBefore(owner, stream, retried, commands, asked);
    const done = await this.memories.execute(stream, () => (found ? [] : commands), identity);
    const { results, position, repeated, version } = done;
    // A retry gets the memories that its first try found, although they may have been forgotten since.
    const state = repeated
      ? (await this.memories.loadAt(stream, version)).state
      : (found ?? done.after.state);
    const seen = new Set<string>();
    const written = kept.flatMap((text, place): readonly KeptMemoryDto[] => {
      const { fingerprint, at } = commands[place]!;
      const result = results[place] ?? memoryWith(state, fingerprint, at);
      if (!result || seen.has(result.memory_id)) return [];
      seen.add(result.memory_id);
      const existed = !results[place] || result.version > 1;
      return [{ id: result.memory_id, version: result.version, text, existed }];
    });
    return Answer.written({ kept: written, not_kept }, position);
  }

  /**
   * Returns the state that the first attempt of a retry found, if there was nothing to remember then, so that its retry
   * remembers nothing either, although the texts may have been forgotten since.
   */
  private async foundBefore(
    owner: string,
    stream: string,
    retried: bigint | undefined,
    commands: readonly Remember[],
    { tags }: RememberMemory,
  ): Promise<MemoriesState | undefined> {
    if (retried === undefined) return undefined;
    const last = await lastBefore(this.eventStore, stream, retried);
    if (last === -1) return undefined;
    const { state } = await this.memories.loadAt(stream, last);
    const given = (await this.sealed.tagsOf(owner, tags)) ?? [];
    const isAll = commands.every((command) => isRemembered(state, { ...command, tags: given }));
    return isAll ? state : undefined;
  }

  /** Returns the command for a text; undefined for a sentence that says what nobody asked to keep. */
  private async command(
    owner: string,
    known: MemoriesState,
    { text, because, isGiven }: ToKeep,
    { identity, tags: given = [], expires_in }: RememberMemory,
  ): Promise<Remember | undefined> {
    const at = identity.received_at;
    const tags = newestTags(await this.presentTags(owner, known, text, at), given);
    const found = await this.sealed.inspect({ text, tags });
    if (found?.category === 'high' && !isGiven) return undefined;
    return {
      type: 'remember',
      owner,
      ...(await this.sealed.seal(owner, { text, tags }, found)),
      kept: because === null ? null : { rules: KEEPING_RULES, because },
      expires_at: expires_in === undefined ? null : afterSeconds(at, expires_in),
      at,
    };
  }

  /** Returns the tags of the memory that has this text now, which another request adds to. */
  private async presentTags(
    owner: string,
    known: MemoriesState,
    text: string,
    at: string,
  ): Promise<readonly string[]> {
    if (known.count === 0) return [];
    const same = memoryWith(known, await this.sealed.fingerprintOf(owner, text), at);
    if (same === undefined) return [];
    await this.logEnd.reach('memories');
    const row = await this.queries.version(same.memory_id, owner);
    return (row && (await this.sealed.opened(row)))?.tags ?? [];
  }
}

/** @throws Refusal INVALID_INPUT unless the request has either a text or what was said */
async function sorted({ text, said }: RememberMemory): Promise<{
  readonly texts: readonly ToKeep[];
  readonly not_kept: NotKept[];
}> {
  if ((text === undefined) === (said === undefined))
    throw new Refusal('INVALID_INPUT', {
      reason: 'text, said: give one of the two: text is kept as it is; of said, what lasts is kept',
    });
  if (text !== undefined) {
    if (isBlank(text)) throw new Refusal('INVALID_INPUT', { reason: 'text: has nothing to see' });
    return { texts: [{ text, because: becauseOf(text), isGiven: true }], not_kept: [] };
  }
  const { kept, not_kept } = await inSlices(sortingSentences(said ?? ''));
  const texts = kept.map((one) => ({ ...one, isGiven: false }));
  return { texts, not_kept: [...not_kept] };
}

/** Returns the tags of a text that is remembered again: of more than it can have, those that were given last. */
const newestTags = (present: readonly string[], given: readonly string[]): string[] =>
  [...new Set([...present.filter((tag) => !given.includes(tag)), ...given])].slice(-MAX_TAGS);
