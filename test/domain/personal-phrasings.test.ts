import { describe, expect, test } from '@jest/globals';
import { asksFor } from '#domain/personal-fact/asks-for.js';
import { isAboutEarlierTurns } from '#domain/query/earlier-turns.js';
import phrasings from './personal-fact/phrasings.json' with { type: 'json' };

/**
 * Each set has questions for the memory, about a person or about what was said, and questions about the
 * speaker that a model should answer. Each was written before anybody saw how the rule answers it. The
 * rule has since been tuned on all but those with an odd number of the last two readers, which measure it.
 */
interface Questions {
  readonly memory: readonly string[];
  readonly model: readonly string[];
}

const reachesModel = (text: string): boolean =>
  asksFor(text) === null && !isAboutEarlierTurns(text);

const everySecond = (texts: readonly string[], from: 0 | 1): readonly string[] =>
  texts.filter((_, at) => at % 2 === from);
const {
  first,
  'reader 1': one,
  'reader 2': two,
  'reader 3': three,
  'reader 4': four,
  ...others
} = phrasings;
const SETS: Readonly<Record<string, Questions>> = {
  'tuning half of the first set': {
    memory: everySecond(first.memory, 0),
    model: everySecond(first.model, 0),
  },
  'measuring half of the first set': {
    memory: everySecond(first.memory, 1),
    model: everySecond(first.model, 1),
  },
  'tuning half of the third reader': {
    memory: everySecond(three.memory, 0),
    model: everySecond(three.model, 0),
  },
  'tuning half of the fourth reader': {
    memory: everySecond(four.memory, 0),
    model: everySecond(four.model, 0),
  },
  ...Object.fromEntries(Object.entries(others).map(([name, set]) => [`${name} set`, set])),
};
const PERSONAL = Object.values(SETS).flatMap(({ memory }) => memory);

/**
 * Questions of four people who knew no rule and looked for its gaps. The rule was tuned on all of the first two, and
 * on those of the last two with an even number; the others measure it, so a failure shows only their count. Each
 * number of mistakes is what the rule makes now, and may only fall.
 */
test.each([
  ['first reader', one, { toModel: 0, refused: 0 }],
  ['second reader', two, { toModel: 0, refused: 1 }],
  ['third reader', three, { toModel: 1, refused: 10 }],
  ['fourth reader', four, { toModel: 6, refused: 21 }],
] as const)(
  'A1 A5 the rule makes no more mistakes with the measuring questions of the %s',
  (_, set, most) => {
    const toModel = everySecond(set.memory, 1).filter(reachesModel);
    const refused = everySecond(set.model, 1).filter((text) => !reachesModel(text));
    expect(toModel.length).toBeLessThanOrEqual(most.toModel);
    expect(refused.length).toBeLessThanOrEqual(most.refused);
  },
);

describe.each(Object.entries(SETS))('The %s', (_, { memory, model }) => {
  test('A1 A5 no question about a person, or about what was said, reaches a model', () => {
    expect(memory.filter(reachesModel)).toStrictEqual([]);
  });

  test('A1 of the questions for advice, calculation, creation and tasks, 93 % reach a model', () => {
    expect(model.filter(reachesModel).length).toBeGreaterThanOrEqual(0.93 * model.length);
  });
});

test.each<readonly [string, (text: string) => string]>([
  ['in capitals', (text) => text.toUpperCase()],
  ['in small letters', (text) => text.toLowerCase()],
  ['with “please” before it', (text) => `please ${text}`],
  ['with “Hey,” before it', (text) => `Hey, ${text}`],
  ['with politeness around it', (text) => `Hello! Could you please help? ${text} Thanks a lot!`],
  ['without a mark at its end', (text) => text.replace(/[\s?.!]+$/, '')],
  ['with another mark at its end', (text) => text.replace(/[\s?.!]*$/, '?!')],
  ['with typographic apostrophes', (text) => text.replaceAll("'", '’')],
  ['with more white space', (text) => `  ${text.replaceAll(' ', ' \t ')}\n`],
])('A1 a question about a person stays one when it is written %s', (_, change) => {
  expect(PERSONAL.filter((text) => reachesModel(change(text)))).toStrictEqual([]);
});

test('A5 a question for what was said, written or decided is one for earlier turns, unless it names a fact', () => {
  for (const text of [
    'What did I say earlier?',
    'Repeat what I just said',
    'What was the last thing we decided?',
    'What was the previous question?',
    'What did the team decide last time?',
  ])
    expect([text, asksFor(text)]).toStrictEqual([text, 'earlier_turns']);
  expect(asksFor('What did I say my name was?')).toStrictEqual([['user/profile/{user}/name']]);
  expect(asksFor('What did Darwin say about finches?')).toBeNull();
});
