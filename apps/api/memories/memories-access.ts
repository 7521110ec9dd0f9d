import { Inject, Injectable } from '@nestjs/common';
import { permit } from '#domain/errors/permit.js';
import { noSuchMemory } from '#domain/memories/memories.decider.js';
import { ownUserId, readsEveryOwner, userFor } from '#domain/ownership/access.js';
import { privateOwner, privateOwnerOf } from '#domain/ownership/private-owner.js';
import { subjectOfUser } from '#domain/privacy/subject.js';
import type { Actor } from '#domain/recorded-event.js';
import type { MemoriesStore } from '../platform/stores.js';
import { StreamNames } from '../platform/stream-names.js';
import { MEMORIES_STORE } from '../platform/tokens.js';

/** The person whose memories a reader sees, and if they are shown as they are. */
export interface ReadPerson {
  readonly owner: string;
  readonly mayOpen: boolean;
}

/** Decides whose memories a request reaches, and finds their stream (SPEC W2, I9). */
@Injectable()
export class MemoriesAccess {
  constructor(
    @Inject(MEMORIES_STORE) private readonly memories: MemoriesStore,
    private readonly names: StreamNames,
  ) {}

  /** Returns the person for whom a caller acts. @throws Refusal PERMISSION_DENIED for another one */
  actingFor(actor: Actor, user_id: string | undefined): string {
    return privateOwner({ sub: actor.sub, user_id: userFor(actor, user_id) });
  }

  /** Returns the person whose memories a caller reads. @throws Refusal PERMISSION_DENIED */
  read(actor: Actor, user_id: string | undefined): ReadPerson {
    if (user_id === undefined) return { owner: privateOwnerOf(actor), mayOpen: true };
    const owner = subjectOfUser(user_id);
    if (owner === privateOwnerOf(actor)) return { owner, mayOpen: true };
    if (readsEveryOwner(actor)) return { owner, mayOpen: false };
    permit(ownUserId(actor) === undefined, 'read the memories of another person', 'I9');
    return { owner: this.actingFor(actor, user_id), mayOpen: true };
  }

  streamOf(owner: string, use?: 'read' | 'write'): Promise<string> {
    return this.names.memoriesStream(owner, use);
  }

  /** Returns the stream of a person's memories that has events. @throws Refusal PERMISSION_DENIED, NOT_FOUND */
  async existing(actor: Actor, { user_id }: { readonly user_id?: string }): Promise<string> {
    const stream = await this.streamOf(this.read(actor, user_id).owner, 'read');
    if ((await this.memories.load(stream)).state.owner === null)
      throw noSuchMemory('of this person');
    return stream;
  }
}
