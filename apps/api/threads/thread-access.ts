import { Injectable } from '@nestjs/common';
import { permit } from '#domain/errors/permit.js';
import { personOf, readsEveryOwner } from '#domain/ownership/access.js';
import { namedPrivateOwner, privateOwnerOf } from '#domain/ownership/private-owner.js';
import type { Actor } from '#domain/recorded-event.js';
import type { ThreadName } from '#domain/thread/events.js';
import { type NameUse, StreamNames } from '../platform/stream-names.js';
import { PrivacyGate } from '../privacy/privacy-gate.js';

/** A thread of the caller, in one namespace. */
export interface OwnThread {
  readonly stream: string;
  readonly thread: ThreadName;
  /** The subject under whose key its personal data is sealed. */
  readonly subject: string;
}

/** The owner of the threads that a read reaches. */
export interface ReadOwner {
  readonly owner: string;
  /** True if it is the caller, to whom personal data is shown. */
  readonly isOwn: boolean;
}

/** Finds the streams of threads, and whose they are (SPEC I9). */
@Injectable()
export class ThreadAccess {
  constructor(
    private readonly names: StreamNames,
    private readonly gate: PrivacyGate,
  ) {}

  /**
   * Returns the caller's thread with an id, in a namespace. Fails as `StreamNames` does. @throws Refusal PRIVACY_BLOCKED
   * if an id contains personal data
   */
  async own(actor: Actor, thread_id: string, namespace: string): Promise<OwnThread> {
    const subject = privateOwnerOf(actor);
    const stream = await this.streamOf(subject, thread_id, namespace, 'write');
    return { stream, thread: { thread_id, namespace, owner: personOf(actor) }, subject };
  }

  /** Returns the stream of an owner's thread. Fails as `own` does. */
  async streamOf(
    owner: string,
    thread_id: string,
    namespace: string,
    use: NameUse = 'read',
  ): Promise<string> {
    await this.gate.requireClearIds({ thread_id, namespace });
    return this.names.threadStream(owner, thread_id, namespace, use);
  }

  /**
   * Returns the owner whose threads a read reaches. @param named the owner that the caller names; by default the caller
   * itself. @throws Refusal PERMISSION_DENIED for another owner, unless the caller may read every owner's
   */
  readable(actor: Actor, named: string | undefined): ReadOwner {
    const own = privateOwnerOf(actor);
    const owner = named === undefined ? own : namedPrivateOwner(named);
    permit(owner === own || readsEveryOwner(actor), 'read the threads of another owner', 'I9');
    return { owner, isOwn: owner === own };
  }
}
