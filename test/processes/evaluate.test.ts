import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { categoriesOf } from '#apps/cli/evaluate/categories.js';
import type { Conversation, Turn } from '#apps/cli/evaluate/conversations.js';
import type { Evaluation } from '#apps/cli/evaluate/evaluation.js';
import { type Answered, figuresOf, latencyOf } from '#apps/cli/evaluate/figures.js';
import { nameOf } from '#apps/cli/evaluate/imported-conversation.js';
import { MaceClient } from '#client/mace-client.js';
import { named } from '../support/named.js';
import { TestService } from '../support/service.js';
import { TEST_KEYS } from '../support/test-keys.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { CliProcess, mace } from '#test/support/cli-run.js';

const JWT = { MACE_JWT_SECRET: TEST_KEYS.MACE_JWT_SECRET };

/** Makes turns whose ids are `1:1`, `1:2`, …, one list of texts for each session. */
const turnsOf = (...sessions: readonly (readonly string[])[]): Turn[] =>
  sessions.flatMap((texts, session) =>
    texts.map((text, index) => ({
      id: `${session + 1}:${index + 1}`,
      session: `session-${session + 1}`,
      time: `2024-0${session + 1}-01T10:00:00.000Z`,
      speaker: index % 2 === 0 ? 'Ada' : 'Ben',
      text,
    })),
  );

const GARDEN = {
  conversation: 'garden',
  turns: turnsOf(
    ['I planted tulips by the gate', 'My rake broke yesterday', 'Write to me at ada@posteo.test'],
    ['The tulips bloom', 'I bought a new wheelbarrow'],
  ),
  questions: [
    { question: 'tulips', evidence: ['1:1', '2:1'], category: 1 },
    { question: 'wheelbarrow bloom', evidence: ['2:2', '1:2'], category: 2 },
    { question: 'Who writes to Ada?', evidence: ['1:3', '1:3'], category: 2 },
    { question: 'rake', evidence: [], category: 5 },
    { question: 'gate', evidence: ['1:2'], category: 5 },
  ],
};

const KITCHEN = {
  conversation: 'kitchen',
  turns: turnsOf(['The oven is hot', 'tulips stand on the table']),
  questions: [{ question: 'oven', evidence: ['1:1'], category: 1 }],
};

const lines = (...conversations: readonly object[]): string =>
  conversations.map((conversation) => `${JSON.stringify(conversation)}\n`).join('');

describe('mace evaluate', () => {
  const folder = temporaryFolder('evaluate');
  const file = (name: string, text: string): string => {
    const path = join(folder.path, name);
    writeFileSync(path, text);
    return path;
  };
  /** The same conversations under names that no other run uses. */
  const own = (...conversations: readonly (typeof KITCHEN | typeof GARDEN)[]): string =>
    lines(...conversations.map((each) => ({ ...each, conversation: named(each.conversation) })));
  let service: TestService;
  beforeAll(async () => {
    service = await TestService.shared();
  });
  afterAll(async () => {
    await service.stop();
    folder.remove();
  });

  const evaluated = async (path: string, ...more: readonly string[]): Promise<Evaluation> => {
    const args = ['evaluate', path, '--url', service.url, '--json', '--ranking', 'overlap'];
    const { code, stdout, stderr } = await mace([...args, ...more], JWT);
    expect([stderr, code]).toStrictEqual(['', 0]);
    return JSON.parse(stdout) as Evaluation;
  };

  it('measures on a service of its own, prints a table, and leaves no files behind', async () => {
    const path = file('table.jsonl', lines(GARDEN, KITCHEN));
    const { code, stdout, stderr } = await mace(['evaluate', path, '--ranking', 'overlap'], {
      TMPDIR: folder.path,
    });
    expect([stderr, code]).toStrictEqual([expect.stringMatching(/^A service of its own/), 0]);
    expect(stdout).toMatch(/^2 conversations, 7 turns, 6 questions$/m);
    expect(stdout).toMatch(/^1 question without evidence: not in the figures$/m);
    expect(stdout).toMatch(/^the row of a ranking covers the categories 1, 2$/m);
    expect(stdout).toMatch(
      /questions +recall@5 +recall@10 +recall@20 +any@5 +all@5 +mrr +p50 +p95/,
    );
    expect(stdout).toMatch(
      /^overlap +4 +0\.875 +0\.875 +0\.875 +1\.000 +0\.750 +0\.875 +\d+\.\d ms/m,
    );
    expect(stdout).toMatch(/^ {2}category 1 +2 +1\.000 /m);
    expect(stdout).toMatch(/^ {2}category 5 +1 +0\.000 /m);
    expect(readdirSync(folder.path).filter((name) => name.startsWith('mace-'))).toStrictEqual([]);
  });

  it('finds the evidence by the ids of the episodes, also where the privacy gate redacted the text', async () => {
    const { rankings, categories, without_evidence } = await evaluated(
      file('redacted.jsonl', own(GARDEN)),
      ...['--categories', '2', '--by-conversation'],
    );
    expect(categories).toStrictEqual(['2']);
    expect(without_evidence).toBe(1);
    const { overlap } = rankings;
    expect(overlap).toMatchObject({ questions: 2, 'recall@10': 0.75, 'all@5': 0.5, mrr: 0.75 });
    expect(overlap?.by_category['1']).toMatchObject({ questions: 1, 'recall@10': 1 });
    expect(overlap?.by_conversation).toStrictEqual({
      [named('garden')]: expect.objectContaining({ questions: 2, 'recall@10': 0.75 }) as unknown,
    });
  });

  it('Q3 every conversation is the memory of a user of its own, so no other conversation is found', async () => {
    const path = file('two.jsonl', own(KITCHEN, GARDEN));
    const { rankings } = await evaluated(path, '--categories', '1');
    expect(rankings.overlap).toMatchObject({ questions: 2, 'recall@5': 1, mrr: 1 });
  });

  it('I3 a session becomes an ended job at the session’s time, and each turn an episode', async () => {
    const conversation = { ...GARDEN, conversation: named('jobs') };
    await evaluated(file('jobs.jsonl', lines(conversation)));
    const imported = { ...conversation, name: conversation.conversation, questions: [] };
    const user = nameOf(imported, 'mace-evaluate');
    const token = await service.token('user', { sub: named('reader'), user_id: user });
    const client = new MaceClient({ baseUrl: service.url, token });
    const { results } = await client.episodes.query({ query_terms: 'wheelbarrow' });
    expect(results).toMatchObject([
      { summary: 'Ben: I bought a new wheelbarrow', created_seeded_ts: '2024-02-01T10:00:00.002Z' },
    ]);
    const auditor = await service.token('auditor');
    const audit = new MaceClient({ baseUrl: service.url, token: auditor });
    // A reader who has written nothing waits for nothing.
    await service.caughtUp();
    const { jobs } = await audit.jobs.list({ session_id: user });
    expect(jobs.map(({ job_seed, status }) => [job_seed, status])).toStrictEqual([
      [`${user}:2`, 'ended'],
      [`${user}:1`, 'ended'],
    ]);
  });

  it('I7 an evaluation that is run again on the same service writes nothing twice', async () => {
    const path = file('again.jsonl', own(GARDEN));
    const first = await evaluated(path);
    const again = await evaluated(path);
    expect(again.rankings.overlap?.['recall@10']).toBe(first.rankings.overlap?.['recall@10']);
    expect(again.rankings.overlap?.mrr).toBe(first.rankings.overlap?.mrr);
  });

  it('Q2 the ranking “relevance” finds other forms of a word and the turns beside them, with each version', async () => {
    const questions = [{ question: 'planting', evidence: ['1:1', '1:2'], category: 1 }];
    const path = file('relevance.jsonl', own({ ...GARDEN, questions }));
    const args = ['evaluate', path, '--url', service.url, '--json', '--ranking', 'relevance'];
    for (const version of [1, 2]) {
      const asked = await mace([...args, '--ranking-version', String(version)], JWT);
      expect([asked.stderr, asked.code]).toStrictEqual(['', 0]);
      const { rankings } = JSON.parse(asked.stdout) as Evaluation;
      expect(Object.keys(rankings)).toStrictEqual(['relevance']);
      expect(rankings.relevance).toMatchObject({ ranking_version: version, 'all@5': 1, mrr: 1 });
    }
  });

  it('a question is plain words, so what it quotes is not a condition', async () => {
    const question = 'Is the “hot oven” on fire -now?';
    const questions = [{ question, evidence: ['1:1'], category: 1 }];
    const path = file('quoted.jsonl', own({ ...KITCHEN, questions }));
    const { code, stdout } = await mace(['evaluate', path, '--url', service.url, '--json'], JWT);
    expect(code).toBe(0);
    const { rankings } = JSON.parse(stdout) as Evaluation;
    expect(Object.keys(rankings)).toStrictEqual(['overlap', 'relevance']);
    expect(rankings.relevance).toMatchObject({ questions: 1, mrr: 1 });
  });

  it('E1 a turn that is longer than an episode’s summary is cut, and the report says so', async () => {
    const long = { ...KITCHEN, turns: turnsOf([`The oven ${'is hot '.repeat(400)}`]) };
    expect((await evaluated(file('long.jsonl', own(long)))).cut_turns).toBe(1);
  });

  it('accepts an agent’s token without a user, and refuses one with a user before it writes', async () => {
    const path = file('token.jsonl', own(KITCHEN));
    await evaluated(path);
    const agent = await service.token('agent', { sub: named('evaluator') });
    const { rankings } = await evaluated(path, '--token', agent);
    expect(rankings.overlap).toMatchObject({ 'recall@5': 1 });
    const withUser = await service.token('agent', { user_id: named('someone') });
    const refused = await mace(['evaluate', path, '--url', service.url, '--token', withUser]);
    expect([refused.code, refused.stdout]).toStrictEqual([2, '']);
    expect(refused.stderr).toMatch(/^The token has a user_id\./);
  });

  it('names each bad line of the file, and exits with code 2 before anything starts', async () => {
    const [turn] = KITCHEN.turns;
    const bad = [
      ['{"conversation":', 'it is not JSON'],
      ['[1]', 'the line is not an object'],
      [lines({ ...KITCHEN, conversation: undefined }), 'conversation is missing, or is not text'],
      [lines({ ...KITCHEN, turns: [] }), 'turns is empty'],
      [lines({ ...KITCHEN, questions: null }), 'questions is missing, or is not a list'],
      [lines({ ...KITCHEN, turns: [{ ...turn, speaker: 7 }] }), 'turns[0].speaker is missing'],
      [
        lines({ ...KITCHEN, turns: [{ ...turn, time: 'May' }] }),
        'turns[0].time must be an RFC 3339 time',
      ],
      [lines({ ...KITCHEN, turns: [turn, turn] }), 'two turns have the id "1:1"'],
      [
        lines({ ...KITCHEN, questions: [{ question: 'oven', evidence: ['9:9'] }] }),
        'questions[0].evidence: no turn has the id "9:9"',
      ],
      [
        lines({ ...KITCHEN, questions: [{ question: ' ', evidence: [] }] }),
        'questions[0].question is empty',
      ],
      [
        lines({ ...KITCHEN, turns: [{ ...turn, text: '\u0000' }] }),
        'turns[0].text has a character',
      ],
    ] as const;
    for (const [line, problem] of bad) {
      const path = file('bad.jsonl', `${lines(GARDEN)}\n${line.trim()}\n`);
      const { code, stdout, stderr } = await mace(['evaluate', path]);
      expect([problem, code, stdout]).toStrictEqual([problem, 2, '']);
      expect(stderr).toContain(`\nline 3: ${problem}`);
    }
    const twice = await mace(['evaluate', file('twice.jsonl', lines(GARDEN, GARDEN))]);
    expect(twice.stderr).toMatch(/line 2: its conversation stands in an earlier line/);
    const many = await mace(['evaluate', file('many.jsonl', 'x\n'.repeat(12))]);
    expect(many.stderr).toMatch(/line 10: it is not JSON\n… and 2 more$/m);
  });

  it('refuses a file that has nothing to measure, and a category that no question has', async () => {
    const refusalOf = async (...args: readonly string[]): Promise<string> => {
      const { code, stdout, stderr } = await mace(['evaluate', ...args]);
      expect([code, stdout]).toStrictEqual([2, '']);
      return stderr;
    };
    expect(await refusalOf(file('empty.jsonl', '\n'))).toMatch(/is empty/);
    expect(await refusalOf(join(folder.path, 'none.jsonl'))).toMatch(/cannot be read: ENOENT/);
    const silent = lines({ ...KITCHEN, questions: [{ question: 'oven', evidence: [] }] });
    expect(await refusalOf(file('silent.jsonl', silent))).toMatch(/no question with evidence/);
    const kitchen = file('kitchen.jsonl', lines(KITCHEN));
    expect(await refusalOf(kitchen, '--categories', '1,9')).toMatch(/has the category "9"/);
  });

  it('an evaluation that is interrupted leaves no files or processes behind', async () => {
    const path = file('interrupted.jsonl', lines(GARDEN));
    const evaluation = CliProcess.spawn(['evaluate', path], { TMPDIR: folder.path });
    evaluation.child.stderr?.once('data', () => evaluation.child.kill('SIGINT'));
    const { code, stdout, stderr } = await evaluation.ended;
    expect([code, stdout]).toStrictEqual([130, '']);
    expect(stderr).toMatch(/^Stopped\.$/m);
    expect(readdirSync(folder.path).filter((name) => name.startsWith('mace-'))).toStrictEqual([]);
  });
});

describe('The figures of an evaluation', () => {
  const answer = (evidence: readonly string[], found: readonly (string | null)[]): Answered => ({
    ...{ category: null, conversation: 'c', evidence, found, ms: 1 },
  });

  it('recall is the part of a question’s evidence among the first hits, as a mean over the questions', () => {
    const others = Array.from({ length: 9 }, () => null);
    const answers = [answer(['a', 'b'], ['a', ...others, 'b']), answer(['c'], [...others, 'c'])];
    expect(figuresOf(answers)).toStrictEqual({
      questions: 2,
      'recall@5': 0.25,
      'recall@10': 0.75,
      'recall@20': 1,
      'any@5': 0.5,
      'all@5': 0,
      mrr: 0.55,
    });
  });

  it('a question without evidence counts in no figure', () => {
    const { questions, mrr } = figuresOf([answer([], ['a']), answer(['a'], ['a'])]);
    expect([questions, mrr]).toStrictEqual([1, 1]);
    expect(figuresOf([answer([], [])])).toMatchObject({
      questions: 0,
      'recall@5': null,
      mrr: null,
    });
  });

  it('the latencies are those within which 50 and 95 of 100 questions were answered', () => {
    const answers = Array.from({ length: 100 }, (_, ms) => ({ ...answer([], []), ms: ms + 1 }));
    expect(latencyOf(answers)).toStrictEqual({ p50_ms: 50, p95_ms: 95 });
  });

  it('the overall figures cover all categories, but not the fifth of a set with the numbers 1 to 5', () => {
    const covered = (categories: readonly (string | null)[], asked?: readonly string[]) => {
      const questions = categories.map((category) => ({ question: 'q', evidence: [], category }));
      const conversations: Conversation[] = [{ name: 'c', turns: [], questions }];
      return [...categoriesOf(conversations, asked).covered];
    };
    expect(covered(['5', '2', '1'])).toStrictEqual(['1', '2']);
    expect(covered(['5', '10', null])).toStrictEqual(['5', '10', null]);
    expect(covered(['people', 'dates'])).toStrictEqual(['dates', 'people']);
    expect(covered(['1', '2', '5'], ['5'])).toStrictEqual(['5']);
  });
});
