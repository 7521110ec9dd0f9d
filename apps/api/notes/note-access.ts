import { Inject, Injectable } from '@nestjs/common';
import { permit } from '#domain/errors/permit.js';
import { invalid, requireName } from '#domain/note/limits.js';
import { formsOf } from '#domain/note/name.js';
import { noSuchNote } from '#domain/note/note.decider.js';
import type { NoteState } from '#domain/note/state.js';
import { readsEveryOwner } from '#domain/ownership/access.js';
import { namedPrivateOwner, privateOwnerOf } from '#domain/ownership/private-owner.js';
import type { Actor } from '#domain/recorded-event.js';
import type { Loaded } from '#event-store/aggregate-store.js';
import { versionAhead } from '../platform/state-at-version.js';
import { type NameUse, StreamNames } from '../platform/stream-names.js';
import type { NoteStore } from '../platform/stores.js';
import { NOTE_STORE } from '../platform/tokens.js';

/** Decides whose notes a request reaches, and finds their streams (SPEC N1, I9). */
/** The note that a reader names: by namespace and key, or by its stream. */
interface NoteName {
  readonly owner?: string;
  readonly namespace?: readonly string[];
  readonly key?: string;
  readonly stream?: string;
}

@Injectable()
export class NoteAccess {
  constructor(
    @Inject(NOTE_STORE) private readonly notes: NoteStore,
    private readonly names: StreamNames,
  ) {}

  /** Returns the owner whose notes a caller writes: the caller. @throws Refusal PERMISSION_DENIED for another one */
  writtenOwner(actor: Actor, owner: string | undefined): string {
    const own = privateOwnerOf(actor);
    const isOwn = owner === undefined || namedPrivateOwner(owner) === own;
    permit(isOwn, 'write the notes of another owner', 'I9');
    return own;
  }

  /** Returns the owner whose notes a caller reads. @throws Refusal PERMISSION_DENIED */
  readOwner(actor: Actor, owner: string | undefined): string {
    if (owner === undefined) return privateOwnerOf(actor);
    const asked = namedPrivateOwner(owner);
    const allowed = asked === privateOwnerOf(actor) || readsEveryOwner(actor);
    permit(allowed, 'read the notes of another owner', 'I9');
    return asked;
  }

  /** True if the caller sees the personal data in an owner's notes: the owner alone (SPEC P3). */
  isOwn = (actor: Actor, owner: string): boolean => owner === privateOwnerOf(actor);

  /**
   * Returns the stream of a note. Names that differ only in their Unicode form are one name. Before they were, each
   * form had a stream of its own, so a note that was written then is still found under its form. @throws Refusal
   * INVALID_INPUT for a name beyond the limits
   */
  async streamOf(
    owner: string,
    namespace: readonly string[],
    key: string,
    use?: NameUse,
  ): Promise<string> {
    requireName(namespace, key);
    const streams = new Set<string>();
    for (const [path, name] of formsOf(namespace, key))
      streams.add(await this.names.noteStream(owner, path, name, use));
    const [current = '', ...earlier] = streams;
    if (earlier.length === 0 || (await this.isKnown(current))) return current;
    for (const stream of earlier) if (await this.isKnown(stream)) return stream;
    return current;
  }

  private async isKnown(stream: string): Promise<boolean> {
    return (await this.notes.load(stream)).state.owner !== null;
  }

  /**
   * Returns the stream of the note that a reader names. @throws Refusal INVALID_INPUT, PERMISSION_DENIED, and
   * NOT_FOUND for the stream of another owner
   */
  async readStream(actor: Actor, { owner, namespace, key, stream }: NoteName): Promise<string> {
    const of = this.readOwner(actor, owner);
    if (stream === undefined) {
      if (namespace === undefined || key === undefined)
        throw invalid('namespace, key: give both, or only stream');
      return this.streamOf(of, namespace, key, 'read');
    }
    if (namespace !== undefined || key !== undefined)
      throw invalid('stream: names a note alone, without namespace and key');
    const { state } = await this.notes.load(stream);
    const isKnown = state.owner !== null;
    const isAsked = owner === undefined ? this.mayRead(actor, state) : state.owner === of;
    if (!isKnown || !isAsked) throw noSuchNote();
    return stream;
  }

  /** Returns the stream of a note that has events. @throws Refusal as `readStream` does, and NOT_FOUND */
  async existing(actor: Actor, note: NoteName): Promise<string> {
    const stream = await this.readStream(actor, note);
    if ((await this.notes.load(stream)).state.owner === null) throw noSuchNote();
    return stream;
  }

  /**
   * Returns a note's state, at a version if given. It includes every command that was acknowledged before.
   * @throws Refusal INVALID_INPUT for a version that the note has not reached
   */
  async read(stream: string, version: number | undefined): Promise<Loaded<NoteState>> {
    if (version === undefined) return this.notes.load(stream);
    const loaded = await this.notes.loadAt(stream, version - 1);
    if (loaded.state.version < version) throw versionAhead(version, loaded.state.version);
    return loaded;
  }

  private mayRead(actor: Actor, { owner }: NoteState): boolean {
    return owner !== null && (this.isOwn(actor, owner) || readsEveryOwner(actor));
  }
}
