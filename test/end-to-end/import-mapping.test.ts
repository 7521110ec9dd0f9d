import { DEFAULT_RULES } from '#domain/privacy/rule-set.js';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { BadLine, parseRecording } from '#apps/cli/import/recording.js';
import { type MappedRun, recordingToCommands } from '#apps/cli/import/recording-to-commands.js';
import type { JobCommand } from '#client/jobs.js';
import { canonicalSize } from '#domain/determinism/canonical-json.js';
import { tries } from '#test/support/tries.js';

const changingPrefixes = ['book_', 'update_', 'cancel_', 'send_'];

const user = (content: string) => ({ role: 'user', content });
const says = (content: string) => ({ role: 'assistant', content });
const calls = (name: string, args: unknown, id = 'call-1') => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id, type: 'function', function: { name, arguments: JSON.stringify(args) } }],
});
const answers = (name: string, result: unknown, id = 'call-1') => ({
  role: 'tool',
  tool_call_id: id,
  name,
  content: typeof result === 'string' ? result : JSON.stringify(result),
});

const mapped = (messages: object[], more: object = {}): MappedRun =>
  recordingToCommands(parseRecording(JSON.stringify({ job_seed: 'run', messages, ...more })), {
    changingPrefixes,
    user: null,
    rules: DEFAULT_RULES,
  });

const commandsOf = (run: MappedRun): JobCommand[] => run.batches.flat();
const opsOf = (run: MappedRun): string[] => commandsOf(run).map(({ op }) => op);

describe('Importing a recorded run', () => {
  it('the import writes a tick for each message, an entry for each statement of the user, and the end after the last message', () => {
    const run = mapped([user('Good morning'), says('Hello'), user('Bye')]);
    expect(run.start).toStrictEqual({ job_seed: 'run', goal: 'Good morning' });
    expect(commandsOf(run)).toStrictEqual([
      { op: 'wm_insert', type: 'context', value: { user: 'Good morning' } },
      { op: 'tick' },
      { op: 'tick' },
      { op: 'wm_insert', type: 'context', value: { user: 'Bye' } },
      { op: 'tick' },
      { op: 'end' },
    ]);
  });

  it('the import writes an entry for every top-level field of a tool’s answer, and one entry for an answer without fields', () => {
    const run = mapped([
      calls('get_user', { id: 'u' }),
      answers('get_user', { name: 'Ada Lovelace', tags: ['a', 'b'] }),
      calls('count', {}, 'call-2'),
      answers('count', 42, 'call-2'),
    ]);
    const inserted = commandsOf(run).filter(({ op }) => op === 'wm_insert');
    expect(inserted).toStrictEqual([
      { op: 'wm_insert', type: 'fact', value: { name: 'Ada Lovelace' } },
      { op: 'wm_insert', type: 'fact', value: { tags: ['a', 'b'] } },
      { op: 'wm_insert', type: 'fact', value: { count: 42 } },
    ]);
  });

  it('the import writes a reference when a later message or tool call repeats a value, once per message', () => {
    const run = mapped([
      calls('get_user', {}),
      answers('get_user', { name: 'Ada Lovelace', city: 'Paris' }),
      says('Welcome, ADA   Lovelace! Ada Lovelace, is that right?'),
      calls('greet', { who: 'Ada Lovelace' }, 'call-2'),
    ]);
    const references = commandsOf(run).filter(({ op }) => op === 'wm_reference');
    expect(references).toStrictEqual([
      { op: 'wm_reference', wm_id: 'wm:run:1' },
      { op: 'wm_reference', wm_id: 'wm:run:1' },
    ]);
    expect(run.references).toBe(2);
  });

  it('the import references a statement when a tool call uses its words, or a message repeats a name in it', () => {
    const run = mapped([
      user('I want basic economy, my id is ada_l_1815.'),
      says('One moment, ada_l_1815.'),
      calls('find', { cabin: 'basic_economy' }),
    ]);
    expect(commandsOf(run).filter(({ op }) => op === 'wm_reference')).toStrictEqual([
      { op: 'wm_reference', wm_id: 'wm:run:1' },
      { op: 'wm_reference', wm_id: 'wm:run:1' },
    ]);
    const plain = mapped([user('I want basic economy'), says('You want economy, I see')]);
    expect(opsOf(plain)).not.toContain('wm_reference');
  });

  it('the import references a promoted entry in the CWM, and does not reference an expired entry', () => {
    const repeat = says('Flight HAT123 it is');
    const run = mapped([
      answers('find', { flight: 'HAT123', price: 1205 }),
      repeat,
      repeat,
      repeat,
      says('It costs 1205'),
    ]);
    expect(commandsOf(run).slice(2, -1)).toStrictEqual([
      { op: 'tick' },
      { op: 'wm_reference', wm_id: 'wm:run:1' },
      { op: 'tick' },
      { op: 'wm_reference', wm_id: 'wm:run:1' },
      { op: 'tick' },
      { op: 'cwm_reference', item_id: 'cwmi:wm:run:1' },
      { op: 'tick' },
      { op: 'tick' },
    ]);
    expect(run.promotions).toBe(1);
  });

  it('if an item has returned from the CWM, the import uses its new id to reference it', () => {
    const repeat = says('Flight HAT123 it is');
    const twice = {
      role: 'assistant',
      content: 'HAT123',
      tool_calls: [{ id: 'a', function: { name: 'look', arguments: '{"flight":"HAT123"}' } }],
    };
    const run = mapped([answers('find', { flight: 'HAT123' }), repeat, repeat, twice, repeat]);
    expect(commandsOf(run).slice(-3)).toStrictEqual([
      { op: 'wm_reference', wm_id: 'wm:run:2' },
      { op: 'tick' },
      { op: 'end' },
    ]);
  });

  it('the import writes an episode for each tool call that changes something, after the call’s answer or at the end of the run', () => {
    const run = mapped(
      [
        user('Book it for u_17, please'),
        calls('book_flight', { user: 'u_17', seats: 2 }, 'call-7'),
        answers('book_flight', { id: 'R1234' }, 'call-7'),
        calls('get_flight', {}, 'call-8'),
        calls('send_mail', { to: 'u_17' }, 'call-9'),
      ],
      { task_id: 4, reward: 1, extra: { ignored: true } },
    );
    const episodes = commandsOf(run).filter(({ op }) => op === 'episodic_write');
    const recording = { task_id: 4, reward: 1 };
    expect(episodes).toStrictEqual([
      {
        op: 'episodic_write',
        source: 'executor',
        summary: 'book_flight u_17 2 → R1234',
        payload: {
          tool: 'book_flight',
          arguments: { user: 'u_17', seats: 2 },
          result: { id: 'R1234' },
          recording,
        },
        evidence: [{ tool_call_id: 'call-7', used: ['wm:run:1'] }],
      },
      {
        op: 'episodic_write',
        source: 'executor',
        summary: 'send_mail u_17',
        payload: { tool: 'send_mail', arguments: { to: 'u_17' }, result: null, recording },
        evidence: [{ tool_call_id: 'call-9', used: [] }],
      },
    ]);
    expect(run.episodes).toBe(2);
  });

  it('the import splits a value over 16 KB into its fields; if that fails, it skips and counts the value', () => {
    const large = (length: number) => 'x'.repeat(length);
    const run = mapped([
      answers('dump', {
        parts: { one: large(9_000), two: large(9_000), list: [1] },
        stuck: { small: 1, huge: large(17_000) },
        fine: 'yes',
      }),
      user(large(20_000)),
    ]);
    const values = commandsOf(run).flatMap((command) =>
      command.op === 'wm_insert' ? [Object.keys(command.value as object)[0]] : [],
    );
    expect(values).toStrictEqual(['parts.one', 'parts.two', 'parts.list', 'fine']);
    expect([...run.skipped]).toStrictEqual([
      ['tool result of more than 16 KB that has no fields to be cut into', 1],
      ['user statement of more than 16 KB that has no fields to be cut into', 1],
    ]);
  });

  it('the import skips and counts values that memory cannot hold', () => {
    const run = mapped([
      { role: 'tool', name: 'dump', content: '{"id": 12345678901234567890, "ok": 1}' },
      { role: 'user', content: 'nul \u0000' },
    ]);
    expect(opsOf(run)).toStrictEqual(['wm_insert', 'tick', 'tick', 'end']);
    expect(run.skipped.get('tool result that memory cannot carry')).toBe(1);
    expect(run.skipped.get('user statement that memory cannot carry')).toBe(1);
  });

  it('the import splits a long run into batches of at most 500 commands and 900 KiB', () => {
    const many = mapped(Array.from({ length: 600 }, (_, index) => user(`Line ${index}`)));
    expect(many.batches.map((batch) => batch.length)).toStrictEqual([500, 500, 201]);
    const heavy = mapped(Array.from({ length: 60 }, () => user('y'.repeat(15_000))));
    expect(heavy.batches.length).toBeGreaterThan(1);
    for (const batch of heavy.batches) expect(canonicalSize(batch)).toBeLessThan(900 * 1024);
  });

  it('any messages become commands that the rules accept; the same messages become the same commands', () => {
    const word = fc.constantFrom(
      'HAT123',
      'Ada Lovelace',
      'ada_l_1815',
      '1205',
      'so',
      '',
      '\u0000',
    );
    const sentence = fc.array(word, { maxLength: 4 }).map((words) => words.join(' '));
    const message = fc.oneof(
      sentence.map(user),
      sentence.map(says),
      fc
        .tuple(fc.constantFrom('book_it', 'look'), fc.dictionary(word, sentence))
        .map(([name, args]) => calls(name, args)),
      fc.oneof(sentence, fc.jsonValue()).map((result) => answers('look', result)),
    );
    fc.assert(
      fc.property(fc.array(message, { minLength: 1, maxLength: 40 }), (messages) => {
        const run = mapped(messages);
        expect(mapped(messages)).toStrictEqual(run);
        const ticks = opsOf(run).filter((op) => op === 'tick');
        expect(ticks).toHaveLength(messages.length);
        expect(opsOf(run).at(-1)).toBe('end');
      }),
      { numRuns: tries(200) },
    );
  });
});

describe('Any line of a file', () => {
  const strange = fc.oneof(
    fc.jsonValue(),
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.constantFrom('\ud800', '\u0000', 1e300, '2026-02-31', 'ada@example.com', 'x'.repeat(20_000)),
  );
  const part = fc.record({ type: fc.constantFrom('text', 'image_url', 'file'), text: strange });
  const content = fc.oneof(strange, fc.array(fc.oneof(part, strange), { maxLength: 3 }));
  const called = { name: fc.constantFrom('book_it', 'look'), arguments: strange };
  const call = fc.record({ id: strange, function: fc.record(called) });
  const message = fc.record(
    {
      role: fc.constantFrom('user', 'system', 'assistant', 'tool'),
      content,
      name: strange,
      tool_call_id: strange,
      tool_calls: fc.array(call, { maxLength: 3 }),
      other: strange,
    },
    { requiredKeys: ['role'] },
  );
  const plain = fc.dictionary(fc.string({ unit: 'binary', maxLength: 5 }), strange);

  it('becomes commands that the rules accept, or is a bad line; nothing else is thrown', () => {
    const line = fc.oneof(
      { weight: 9, arbitrary: fc.tuple(fc.array(message, { minLength: 1, maxLength: 6 }), plain) },
      fc.tuple(fc.array(strange, { maxLength: 2 }), plain),
    );
    fc.assert(
      fc.property(line, ([messages, more]) => {
        try {
          expect(opsOf(mapped(messages as object[], more)).at(-1)).toBe('end');
        } catch (error) {
          expect(error).toBeInstanceOf(BadLine);
        }
      }),
      { numRuns: tries(500) },
    );
  });

  it('loses no text of a user, and no answer of a tool, without being counted', () => {
    fc.assert(
      fc.property(strange, fc.constantFrom('user', 'tool'), (given, role) => {
        const run = mapped([{ role, content: given }]);
        const isKept = opsOf(run).includes('wm_insert') || run.skipped.size > 0;
        const isEmpty = ['', '""', '{}', '[]', 'null'].includes(
          typeof given === 'string' ? given.trim() : JSON.stringify(given),
        );
        expect(isKept || isEmpty).toBe(true);
      }),
      { numRuns: tries(500) },
    );
  });
});

describe('Lines of a recording that the import accepts or refuses', () => {
  const lines: readonly [string, string, RegExp][] = [
    ['what is not JSON', '{"job_seed": "a"', /not JSON/],
    ['what is not an object', '[1]', /not a JSON object/],
    ['a missing job_seed', '{"messages":[{"role":"user","content":"a"}]}', /job_seed/],
    ['a job_seed with a slash', '{"job_seed":"a/b","messages":[{}]}', /job_seed/],
    ['no messages', '{"job_seed":"a","messages":[]}', /messages/],
    ['an unknown role', '{"job_seed":"a","messages":[{"role":"secret"}]}', /messages\[0\]\.role/],
    [
      'a tool call without a name',
      '{"job_seed":"a","messages":[{"role":"assistant","tool_calls":[{"id":"x"}]}]}',
      /messages\[0\]\.tool_calls\[0\]/,
    ],
  ];
  for (const [what, line, reason] of lines) {
    it(what, () => {
      const parse = () => parseRecording(line);
      expect(parse).toThrow(BadLine);
      expect(parse).toThrow(reason);
      expect(parse).not.toThrow(/secret/);
    });
  }

  it('the import accepts system messages, message contents that consist of parts, and calls whose arguments are not JSON', () => {
    const { messages } = parseRecording(
      JSON.stringify({
        job_seed: 'a',
        messages: [
          { role: 'system', content: 'Be kind' },
          { role: 'user', content: [{ type: 'text', text: 'Hi' }, { type: 'image_url' }] },
          {
            role: 'assistant',
            tool_calls: [{ id: 'x', function: { name: 'f', arguments: 'no' } }],
          },
        ],
      }),
    );
    expect(messages).toStrictEqual([
      { role: 'system', text: 'Be kind' },
      { role: 'user', text: 'Hi' },
      { role: 'assistant', text: '', calls: [{ id: 'x', name: 'f', arguments: 'no' }] },
    ]);
  });
});
