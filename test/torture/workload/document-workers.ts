import { isDeepStrictEqual } from 'node:util';
import type { ConversationHandle } from '#client/conversations.js';
import type { Json } from '#client/json.js';
import type { TortureClient } from '../client.js';
import type { Journal } from '../journal.js';
import type { Random } from '../random.js';

/** What a client that alone changes a document has read, and what it must have read. */
function compare(journal: Journal, what: string, read: unknown, known: unknown): void {
  if (!isDeepStrictEqual(read, known))
    journal.mustNotBe(
      `${what} was read as ${JSON.stringify(read)}; last acknowledged is ${JSON.stringify(known)}`,
    );
}

/**
 * Runs `step` on one document after the other. After a step that is neither acknowledged nor refused, the client
 * does not know the document any more, so it begins the next one.
 */
async function onDocuments(
  client: TortureClient,
  random: Random,
  begin: (number: number) => () => Promise<boolean>,
): Promise<void> {
  for (let number = 0; !client.isClosing; number += 1) {
    const step = begin(number);
    const steps = random.between(5, 30);
    for (let count = 0; count < steps && !client.isClosing; count += 1) {
      if (!(await step())) break;
      await client.pause(20, 200);
    }
  }
}

/** Puts, deletes and reads notes of its own. */
export const keepNotes = (client: TortureClient, random: Random, journal: Journal): Promise<void> =>
  onDocuments(client, random, (number) => {
    const namespace = [client.sub, 'notes'];
    const key = `note-${number}`;
    let known: { readonly value: Json; readonly version: number } | undefined;
    return async () => {
      const kind = random.pick(['put', 'put', 'put', 'delete', 'read', 'read']);
      if (kind === 'read') {
        const note = await client.read('note', async (mace) => ({
          note: await mace.notes.get(namespace, key),
        }));
        if (note === undefined || client.lastWasStale) return true;
        compare(
          journal,
          `the note ${key} of ${client.sub}`,
          note.note && { value: note.note.value, version: note.note.version },
          known,
        );
        return true;
      }
      if (kind === 'delete') {
        if (known === undefined) return true;
        known = undefined;
        const deleted = await client.write(
          { kind: 'delete note', adds: { note_deleted: 1 } },
          (mace, o) => mace.notes.delete(namespace, key, o),
        );
        return deleted !== undefined;
      }
      const value = { say: `word${random.between(0, 50)}`, by: client.sub };
      const put = await client.write({ kind: 'put note', adds: { note_put: 1 } }, (mace, o) =>
        mace.notes.put(namespace, key, value, o),
      );
      known = put && { value, version: put.version };
      return put !== undefined;
    };
  });

/** Changes and reads conversations of its own. */
export const talk = (client: TortureClient, random: Random, journal: Journal): Promise<void> =>
  onDocuments(client, random, (number) => {
    const id = `talk-of-${client.sub}-${number}`;
    let items: Json[] = [];
    let said = 0;
    const say = (): Json => ({ say: `${(said += 1)}`, by: client.sub });
    const change = <Answer extends { readonly count: number }>(
      kind: string,
      adds: Readonly<Record<string, number>>,
      send: (talk: ConversationHandle, options: { idempotencyKey?: string }) => Promise<Answer>,
    ): Promise<Answer | undefined> =>
      client.write({ kind, adds }, (mace, o) => send(mace.conversation(id), o));
    return async () => {
      let changed: { readonly count: number } | undefined;
      switch (random.pick(['append', 'append', 'append', 'pop', 'clear', 'replace', 'read'])) {
        case 'append': {
          const more = Array.from({ length: random.between(1, 3) }, say);
          changed = await change('append', { conversation_items_appended: 1 }, (it, o) =>
            it.append(more, o),
          );
          items = [...items, ...more];
          break;
        }
        case 'pop': {
          const last = items.at(-1) ?? null;
          items = items.slice(0, -1);
          const popped = await change('pop', { conversation_popped: 1 }, (it, o) => it.pop(o));
          if (popped !== undefined) compare(journal, `the item popped of ${id}`, popped.item, last);
          changed = popped;
          break;
        }
        case 'clear':
          items = [];
          changed = await change('clear', { conversation_cleared: 1 }, (it, o) => it.clear(o));
          break;
        case 'replace': {
          const from = random.between(0, items.length);
          const made = [say()];
          const operation_id = `${id}-${said}`;
          // Its event is found by its operation_id, not by the key.
          changed = await change('replace', {}, (it, o) =>
            it.transact({ operation_id, from, items: made }, o),
          );
          items = [...items.slice(0, from), ...made];
          break;
        }
        default: {
          const read = await client.read('conversation', (mace) => mace.conversation(id).items());
          if (read !== undefined && !client.lastWasStale)
            compare(
              journal,
              `the conversation ${id}`,
              read.items.map(({ item }) => item),
              items,
            );
          return true;
        }
      }
      if (changed !== undefined)
        compare(journal, `the length of ${id}`, changed.count, items.length);
      return changed !== undefined;
    };
  });

/** Runs graphs: puts their checkpoints and the writes of their tasks, and resumes from the latest checkpoint. */
export const runGraphs = (client: TortureClient, random: Random, journal: Journal): Promise<void> =>
  onDocuments(client, random, (number) => {
    const thread_id = `graph-of-${client.sub}-${number}`;
    let at = 0;
    let pending: Json[] = [];
    return async () => {
      const checkpoint_id = String(at).padStart(6, '0');
      const kind =
        at === 0 ? 'checkpoint' : random.pick(['checkpoint', 'writes', 'writes', 'read']);
      switch (kind) {
        case 'writes': {
          const value = { done: pending.length, by: client.sub };
          const task_id = `task-${String(pending.length).padStart(3, '0')}`;
          pending = [...pending, value];
          const put = await client.write(
            { kind: 'put writes', adds: { writes_put: 1 } },
            (mace, o) =>
              mace.threads.putWrites(
                {
                  ...{ thread_id, checkpoint_id, task_id, task_path: task_id },
                  writes: [{ index: 0, channel: 'results', value }],
                },
                o,
              ),
          );
          return put !== undefined;
        }
        case 'read': {
          const read = await client.read('checkpoint', async (mace) => ({
            latest: await mace.threads.get({ thread_id }),
          }));
          if (read !== undefined && !client.lastWasStale)
            compare(
              journal,
              `the latest checkpoint of ${thread_id}`,
              read.latest && [
                ...[read.latest.checkpoint_id, read.latest.channel_values],
                read.latest.pending_writes.map(({ value }) => value),
              ],
              [checkpoint_id, { step: at }, pending],
            );
          return true;
        }
        default: {
          const step = at + 1;
          at = step;
          pending = [];
          const put = await client.write(
            { kind: 'put checkpoint', adds: { checkpoint_put: 1 } },
            (mace, o) =>
              mace.threads.putCheckpoint(
                {
                  ...{ thread_id, checkpoint_id: String(step).padStart(6, '0') },
                  ...(step > 1 && { parent_checkpoint_id: checkpoint_id }),
                  ...{ checkpoint: { v: 4 }, metadata: { step } },
                  ...{ channel_versions: { step }, channel_values: { step } },
                },
                o,
              ),
          );
          return put !== undefined;
        }
      }
    };
  });

/** Gives, revokes and lists consents of its own user. */
export const giveConsents = (
  client: TortureClient,
  random: Random,
  journal: Journal,
): Promise<void> => {
  const revoked = new Map<string, boolean>();
  return onDocuments(client, random, () => async () => {
    const [id] = [...revoked].find(([, isRevoked]) => !isRevoked) ?? [];
    switch (random.pick(['give', 'revoke', 'list'])) {
      case 'give': {
        const given = await client.write(
          { kind: 'give consent', adds: { consent_given: 1 } },
          (mace, o) =>
            mace.privacy.giveConsent({ text: 'Keep what I say.', scope: 'persistent' }, o),
        );
        if (given !== undefined) revoked.set(given.consent_id, false);
        return true;
      }
      case 'revoke': {
        if (id === undefined) return true;
        revoked.delete(id);
        const done = await client.write(
          { kind: 'revoke consent', adds: { consent_revoked: 1 } },
          (mace, o) => mace.privacy.revokeConsent(id, o),
        );
        if (done !== undefined) revoked.set(id, true);
        return true;
      }
      default: {
        const listed = await client.read('consents', (mace) => mace.privacy.consents());
        if (listed === undefined || client.lastWasStale) return true;
        const shown = new Map(listed.map((one) => [one.consent_id, one.revoked_at !== null]));
        for (const [given, isRevoked] of revoked)
          compare(journal, `the consent ${given}`, shown.get(given), isRevoked);
        return true;
      }
    }
  });
};
