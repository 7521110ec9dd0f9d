import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Json, MaceClient, recordOf, type Turn, valueOf, withMemory } from '#client/index.js';
import {
  HARD_TEXTS,
  HARD_VALUES,
  isOverLong,
  LOOKALIKES,
  NAME_FORMS,
  stored,
  UNCARRIABLE_VALUES,
} from '#test/support/hard-inputs.mjs';
import { McpConnection, TRANSPORTS } from '#test/support/mcp-connection.js';
import { named } from '#test/support/named.js';
import { TestService } from '#test/support/service.js';

describe('Inputs that are hard to carry', () => {
  let service: TestService;
  let mace: MaceClient;
  beforeAll(async () => {
    service = await TestService.shared();
    const token = await service.token('agent', { sub: named('agent') });
    mace = new MaceClient({ baseUrl: service.url, token });
  });
  afterAll(() => service?.stop());

  describe('in the turns of a chat', () => {
    const itemsOf = async (session_id: string) =>
      (await mace.memory.store('session', session_id)).items;
    const alteredIn = async (session_id: string) => {
      for await (const { type, data } of mace.events({ categories: ['memory'], until: 'end' }))
        if (type === 'interaction_recorded' && JSON.stringify(data).includes(session_id))
          return (data as { readonly turn_altered?: object }).turn_altered;
      return undefined;
    };

    /** Returns the answer of a turn once it is recorded. */
    const done = async ({ answer, memory }: Turn<string>): Promise<string> => {
      expect(await memory).not.toHaveProperty('failed');
      return answer;
    };

    it.each(HARD_TEXTS.filter(({ text }) => text.trim() !== ''))(
      '$name is recorded, as are the other texts of its turn',
      async ({ name, text }) => {
        for (const [userText, answer] of [
          [text, 'Hello'],
          ['Hello', text],
        ] as const) {
          const session_id = named(`turn-${name.replaceAll(/\W/g, '-')}-${answer === text}`);
          const chat = withMemory(mace, { assistant: 'helper', session_id });
          expect(await done(await chat.turn(userText, () => answer))).toBe(answer);
          const items = await itemsOf(session_id);
          const texts = items.map((item) => item.text);
          expect(texts).toContain('Hello');
          const isWhole = stored(text) === text && text.length <= 16_384;
          if (!isOverLong(text)) expect(texts).toContain(stored(text));
          const altered = (await alteredIn(session_id)) ?? {};
          expect(Object.keys(altered)).toEqual(
            isWhole ? [] : [answer === text ? 'ai_text' : 'user_text'],
          );
        }
      },
    );

    it('is recorded as far as it fits if tools have done more than a turn holds', async () => {
      const session_id = named('tools');
      const chat = withMemory(mace, { assistant: 'helper', session_id });
      const toolEvents = Array.from({ length: 150 }, () => ({ output: 'word '.repeat(1_000) }));
      expect(await done(await chat.turn('Go', () => 'Done', { toolEvents }))).toBe('Done');
      const texts = (await itemsOf(session_id)).map((item) => item.text);
      expect(texts).toEqual(expect.arrayContaining(['Go', 'Done']));
    });

    it('counts what was replaced and cut in what tools have done', async () => {
      const session_id = named('altered-tools');
      const chat = withMemory(mace, { assistant: 'helper', session_id });
      const toolEvents = [{ output: 'a\u0000b' }, { output: 'x'.repeat(70_000) }];
      expect(await done(await chat.turn('Go', () => 'Done', { toolEvents }))).toBe('Done');
      expect(await alteredIn(session_id)).toEqual({
        tool_events: { left_out: 0, replaced: 1, cut: expect.any(Number) },
      });
    });

    it('does not become an item that a later turn recalls', async () => {
      const session_id = named('altered-twice');
      const chat = withMemory(mace, { assistant: 'helper', session_id });
      for (const said of ['My editor is vim.\u0000', 'What did the turn cut?', 'x'.repeat(20_000)])
        await chat.turn(said, () => 'a\u0000b');
      await chat.turn('What do you know?', ({ items, prompt }) => {
        expect(items.every(({ source }) => source !== 'tool')).toBe(true);
        expect(prompt).toContain('vim');
        expect(prompt).not.toContain('turn_altered');
        return 'That.';
      });
    });

    it.each<unknown>([undefined, null, 42, { text: 'An object of some SDK' }])(
      'is a named error if the user or the model says %j, which is no text',
      async (said) => {
        const session_id = named('no-text');
        const chat = withMemory(mace, { assistant: 'helper', session_id });
        const refused = { name: 'MaceArgumentError' };
        await expect(chat.turn(said as string, () => 'Hello')).rejects.toMatchObject(refused);
        await expect(chat.turn('Hello', () => said as string)).rejects.toMatchObject(refused);
        const { answer: stream } = await chat.turn('Hello', async function* () {
          yield said as string;
        });
        const read = async () => {
          for await (const piece of stream) expect(piece).toBe('never');
        };
        await expect(read()).rejects.toMatchObject({ ...refused, argument: 'piece' });
        await expect(itemsOf(session_id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
      },
    );

    it('costs no answer if the memory fails after the model', async () => {
      const session_id = named('failing');
      let calls = 0;
      const failing: typeof fetch = async (input, init) => {
        calls += 1;
        return calls > 1 ? Response.error() : fetch(input, init);
      };
      const token = await service.token('agent', { sub: named('agent') });
      const client = new MaceClient({ baseUrl: service.url, token, fetch: failing, retries: 0 });
      const chat = withMemory(client, { assistant: 'helper', session_id });
      const { answer, memory } = await chat.turn('Hello', () => 'paid');
      expect(answer).toBe('paid');
      expect((await memory).failed).toMatchObject([{ name: 'MaceUnreachable' }]);
    });
  });

  describe('in a record', () => {
    const through = async (value: unknown) => {
      const conversation = mace.conversation(named('records'));
      await conversation.append([recordOf(value)]);
      const { items } = await conversation.items({ last: 1 });
      return valueOf(items[0]?.item as Json);
    };

    it('each value comes back as it was', async () => {
      for (const { value, kept } of HARD_VALUES)
        expect(await through({ value })).toEqual({ value: kept });
      for (const value of LOOKALIKES) expect(await through(value)).toStrictEqual(value);
    });

    it('what nothing can be made of is refused by its place', () => {
      for (const { value } of UNCARRIABLE_VALUES)
        expect(() => recordOf({ outer: [value] })).toThrow(/^outer\[0\]/);
    });

    it('one of many texts never costs the others', async () => {
      const texts = HARD_TEXTS.map(({ text }) => text);
      expect(await through({ texts })).toMatchObject({ texts: expect.anything() });
    });
  });

  describe.each(Object.keys(TRANSPORTS))('over MCP by %s', (transport) => {
    let agent: McpConnection;
    beforeAll(async () => {
      const token = await service.token('agent', { sub: named(`mcp-${transport.slice(0, 3)}`) });
      agent = await McpConnection.over(transport, { url: service.url, token });
    });
    afterAll(() => agent?.close());

    it('each text is written to a note, with a word on what was replaced, or refused by a code', async () => {
      for (const { name, text } of HARD_TEXTS) {
        const note = { namespace: ['hard'], key: 'text' };
        const written = await agent.call('write_note', { ...note, value: { text } });
        if (written.isError) {
          expect([name, written.error]).toMatchObject([name, { error_code: 'INVALID_INPUT' }]);
          expect(isOverLong(text)).toBe(true);
          continue;
        }
        expect(written.text.includes('U+FFFD')).toBe(stored(text) !== text);
        expect(await agent.did('read_note', note)).toMatchObject({ value: { text: stored(text) } });
      }
    });

    it('values that look like ours come back as they were', async () => {
      for (const value of LOOKALIKES) {
        const note = { namespace: ['hard'], key: 'value' };
        await agent.did('write_note', { ...note, value });
        const { value: read } = await agent.did('read_note', note);
        expect(read).toStrictEqual(value);
      }
    });

    it('the forms of one name are one note', async () => {
      const [composed, decomposed] = NAME_FORMS;
      await agent.did('write_note', { namespace: [composed], key: decomposed, value: 1 });
      await agent.did('write_note', { namespace: [decomposed], key: composed, value: 2 });
      const { notes } = await agent.did('list_notes', { namespace: [decomposed] });
      expect(notes).toMatchObject([{ value: 2, version: 2 }]);
      for (const name of NAME_FORMS)
        expect(await agent.did('read_note', { namespace: [name], key: name })).toMatchObject({
          value: 2,
        });
      expect(
        await agent.did('delete_note', { namespace: [decomposed], key: decomposed }),
      ).toMatchObject({ deleted: true });
    });

    it('a missing or a surprising argument is a named error', async () => {
      for (const args of [
        {},
        { namespace: ['a'] },
        { namespace: 'a', key: 'b', value: 1 },
        { namespace: ['a'], key: 1, value: 1 },
        { namespace: ['a'], key: 'b' },
        { namespace: [], key: 'b', value: 1 },
        { namespace: [''], key: '', value: 1 },
      ]) {
        const outcome = await agent.call('write_note', args);
        expect(outcome.isError).toBe(true);
        expect(outcome.text).toMatch(/INVALID_INPUT|Invalid arguments|validation/i);
        expect(outcome.text).not.toMatch(/TypeError|undefined is not|Cannot read/);
      }
    });
  });
});
