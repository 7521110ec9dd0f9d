import type { MaceClient } from '#client/mace-client.js';
import type { RankingVersion } from '#domain/search/rankings.js';
import { inParallel } from '#platform/in-parallel.js';
import { Progress } from '../terminal/progress.js';
import { type Categories, shownCategory } from './categories.js';
import type { Conversation } from './conversations.js';
import { type Answered, type Figures, figuresOf, type Latency, latencyOf } from './figures.js';
import { importConversation, isCut, nameOf } from './imported-conversation.js';
import { type Found, type RankingName, RANKINGS } from './rankings.js';

/** The figures of one ranking, over the covered categories; the latency is that of all questions. */
export interface RankingReport extends Figures, Latency {
  /** Only of the ranking `relevance`. */
  readonly ranking_version?: number;
  readonly by_category: Readonly<Record<string, Figures>>;
  readonly by_conversation?: Readonly<Record<string, Figures>>;
}

/** The result of an evaluation. */
export interface Evaluation {
  readonly conversations: number;
  readonly turns: number;
  /** Turns that are longer than an episode's summary. */
  readonly cut_turns: number;
  readonly questions: number;
  /** The questions without evidence. They are asked, and count for the latency alone. */
  readonly without_evidence: number;
  /** The categories that the figures of a ranking cover. */
  readonly categories: readonly string[];
  readonly rankings: Readonly<Partial<Record<RankingName, RankingReport>>>;
}

export interface EvaluationOptions {
  readonly rankings: readonly RankingName[];
  /** The version of the ranking `relevance`; undefined for the latest. */
  readonly version: RankingVersion | undefined;
  readonly categories: Categories;
  readonly byConversation: boolean;
  readonly signal: AbortSignal;
  readonly callers: Callers;
}

/** The clients of an evaluation, which all act as one `sub`. */
export interface Callers {
  readonly sub: string;
  /** Returns a client that reads and writes the memory of a user. */
  clientFor(user: string): Promise<MaceClient>;
}

/** A conversation whose turns are in memory. */
interface Imported {
  readonly conversation: Conversation;
  readonly user: string;
  readonly client: MaceClient;
  readonly turnOfEpisode: ReadonlyMap<string, string>;
}

const IMPORTED_AT_A_TIME = 4;

/** Imports the conversations, asks every question with each ranking, and returns how much each one found. */
export async function evaluate(
  conversations: readonly Conversation[],
  options: EvaluationOptions,
): Promise<Evaluation> {
  const { categories } = options;
  const imported = await importAll(conversations, options);
  const answers = await askAll(imported, options);
  const turns = conversations.flatMap((conversation) => conversation.turns);
  const questions = conversations.flatMap((conversation) => conversation.questions);
  return {
    conversations: conversations.length,
    turns: turns.length,
    cut_turns: turns.filter(isCut).length,
    questions: questions.length,
    without_evidence: questions.filter(({ evidence }) => evidence.length === 0).length,
    categories: categories.all.filter((each) => categories.covered.has(each)).map(shownCategory),
    rankings: Object.fromEntries(
      [...answers].map(([ranking, its]) => [ranking, reportOf(its, options)]),
    ),
  };
}

async function importAll(
  conversations: readonly Conversation[],
  { callers, signal }: EvaluationOptions,
): Promise<Imported[]> {
  const total = conversations.reduce((sum, { turns }) => sum + turns.length, 0);
  const progress = new Progress('Importing', total);
  const onTurns = (count: number): void => progress.advance(count);
  return inParallel(conversations, IMPORTED_AT_A_TIME, async (conversation) => {
    const user = nameOf(conversation, callers.sub);
    const client = await callers.clientFor(user);
    const turnOfEpisode = await importConversation(client, user, conversation, signal, onTurns);
    return { conversation, user, client, turnOfEpisode };
  }).finally(() => progress.finish());
}

async function askAll(
  imported: readonly Imported[],
  options: EvaluationOptions,
): Promise<Map<RankingName, Answered[]>> {
  const total = imported.reduce((sum, { conversation }) => sum + conversation.questions.length, 0);
  const { rankings } = options;
  const progress = new Progress('Asking', total * rankings.length);
  const answers = new Map<RankingName, Answered[]>();
  try {
    for (const ranking of rankings) {
      const its: Answered[] = [];
      answers.set(ranking, its);
      for (const one of imported)
        for await (const answer of answersOf(one, ranking, options)) {
          its.push(answer);
          progress.advance(1, ranking);
        }
    }
  } finally {
    progress.finish();
  }
  return answers;
}

/** Asks the questions one after the other, so that each has the service to itself. */
async function* answersOf(
  { conversation, user, client, turnOfEpisode }: Imported,
  ranking: RankingName,
  { version, signal }: EvaluationOptions,
): AsyncGenerator<Answered> {
  const ask = (question: string): Promise<Found> =>
    RANKINGS[ranking](client, { question, user, version, signal });
  const { name, questions } = conversation;
  // The first read waits until the read models show the import; this is not part of any latency.
  if (questions[0] !== undefined) await ask(questions[0].question);
  for (const { question, evidence, category } of questions) {
    const began = performance.now();
    const { episodes, ranking_version } = await ask(question);
    const ms = performance.now() - began;
    const found = episodes.map((id) => turnOfEpisode.get(id) ?? null);
    yield { category, conversation: name, evidence, found, ms, ranking_version };
  }
}

function reportOf(
  answers: readonly Answered[],
  { categories: { all, covered }, byConversation }: EvaluationOptions,
): RankingReport {
  const inOverall = answers.filter(({ category }) => covered.has(category));
  const names = [...new Set(answers.map(({ conversation }) => conversation))];
  const ranking_version = answers[0]?.ranking_version;
  const of = (name: string) => inOverall.filter(({ conversation }) => conversation === name);
  return {
    ...figuresOf(inOverall),
    ...latencyOf(answers),
    ...(ranking_version !== undefined && { ranking_version }),
    by_category: Object.fromEntries(
      all.map((each) => [
        shownCategory(each),
        figuresOf(answers.filter(({ category }) => category === each)),
      ]),
    ),
    ...(byConversation && {
      by_conversation: Object.fromEntries(names.map((name) => [name, figuresOf(of(name))])),
    }),
  };
}
