import { type AgentInputItem, UserError } from '@openai/agents-core';
import { describe, expect, it } from 'vitest';
import {
  HARD_TEXTS,
  HARD_VALUES,
  isOverLong,
  LOOKALIKES,
  replacedIn,
  stored,
  UNCARRIABLE_VALUES,
} from '../../../../test/support/hard-inputs.mjs';
import { MaceSession } from '../src/index.js';
import { assistantSaid, newClient, userSaid } from './support.js';

const newSession = () => new MaceSession(newClient(), 'chat');
const withData = (value: unknown) =>
  ({ ...userSaid('Hello'), providerData: { value } }) as AgentInputItem;
const contentOf = (item: AgentInputItem | undefined) => (item as { content: unknown }).content;

describe('A text of a model or of a tool', () => {
  it('never costs the other items of its turn', async () => {
    const session = newSession();
    const [before, after] = [userSaid('Before'), assistantSaid('After')];
    await session.addItems([before, ...HARD_TEXTS.map(({ text }) => userSaid(text)), after]);
    const items = await session.getItems();
    expect(items).toHaveLength(HARD_TEXTS.length + 2);
    expect([items.at(0), items.at(-1)]).toStrictEqual([before, after]);
    for (const [place, { name, text }] of HARD_TEXTS.entries()) {
      const content = String(contentOf(items[place + 1]));
      if (!isOverLong(text)) expect(content, name).toBe(stored(text));
      else expect(stored(text).startsWith(content.replace(/…$/, '')), name).toBe(true);
    }
  });

  it.each(HARD_TEXTS)(
    '$name is recorded with the number of characters that are not',
    async ({ text }) => {
      const session = newSession();
      await session.addItems([userSaid(text), assistantSaid('Hi')]);
      const items = await session.getItems();
      expect(items).toHaveLength(2);
      const [recorded] = (await session.conversation.items()).items;
      const kept = String(contentOf(items[0]));
      const carried = (recorded?.item as Record<string, unknown>)['$mace_carried'];
      if (kept === text) expect(carried).toBeUndefined();
      else
        expect(carried).toStrictEqual({
          replaced: replacedIn(text),
          cut: kept.length === text.length ? 0 : text.length - kept.length + 1,
        });
    },
  );

  it('with personal data is kept as far as its sealed form fits', async () => {
    const session = newSession();
    await session.addItems([
      userSaid(`Ask ines.varga@fastmail.test ${'word '.repeat(12_000)}`),
      assistantSaid('Hi'),
    ]);
    const [first, second] = await session.getItems();
    expect(contentOf(first)).toMatch(/^Ask ines.varga@fastmail.test word .*…$/);
    expect(second).toStrictEqual(assistantSaid('Hi'));
  });

  it('of many large items goes in as many requests as it takes', async () => {
    const session = newSession();
    const items = Array.from({ length: 30 }, (_, place) =>
      userSaid(`${place} ${'é'.repeat(30_000)}`),
    );
    await session.addItems(items);
    expect(await session.getItems()).toStrictEqual(items);
  });
});

describe('A value of a user', () => {
  it('that looks like the session’s own comes back as it was', async () => {
    const session = newSession();
    const items = [...LOOKALIKES.map(withData), ...(LOOKALIKES as unknown as AgentInputItem[])];
    await session.addItems(items);
    expect(await session.getItems()).toStrictEqual(items);
    await session.applyHistoryTransaction({
      operationId: 'op',
      transaction: { type: 'replace_suffix', expectedSuffix: items.slice(-3), replacement: [] },
    });
    expect(await session.getItems()).toStrictEqual(items.slice(0, -3));
  });

  it.each(HARD_VALUES)(
    '$name comes back as it was, or is refused by its place',
    async ({ value, kept }) => {
      const session = newSession();
      try {
        await session.addItems([withData(value)]);
        expect(await session.getItems()).toStrictEqual([withData(kept)]);
      } catch (error) {
        expect(error).toBeInstanceOf(UserError);
        expect((error as Error).message).toContain('providerData.value');
        expect(await session.getItems()).toStrictEqual([]);
      }
    },
  );

  it.each(UNCARRIABLE_VALUES)(
    '$name is refused by its place, and nothing is written',
    async ({ value }) => {
      const session = newSession();
      const refused = session.addItems([userSaid('Hello'), withData(value)]);
      await expect(refused).rejects.toThrow(UserError);
      await expect(refused).rejects.toThrow('providerData.value');
      expect(await session.getItems()).toStrictEqual([]);
    },
  );
});
