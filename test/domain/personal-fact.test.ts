import { describe, expect, test } from '@jest/globals';
import { asksFor } from '#domain/personal-fact/asks-for.js';
import { ORDINARY_QUESTIONS, PERSONAL_QUESTIONS } from '#test/support/personal-questions.js';

/** The attributes under which each fact is looked for. */
const attributesIn = (text: string): unknown => {
  const facts = asksFor(text);
  return typeof facts === 'string' || facts === null
    ? facts
    : facts.map((keys) => keys.map((key) => key.replace('user/profile/{user}/', '')));
};

describe('A question for a fact about the user', () => {
  for (const [attribute, questions] of Object.entries(PERSONAL_QUESTIONS))
    test(`A1 a question for ${attribute || 'everything'} is recognised in ${questions.length} wordings`, () => {
      const first = (text: string) => {
        const facts = asksFor(text);
        return facts === 'everything' ? '' : facts?.[0]?.[0];
      };
      const template = attribute === '' ? '' : `user/profile/{user}/${attribute}`;
      expect(questions.map((text) => [text, first(text)])).toStrictEqual(
        questions.map((text) => [text, template]),
      );
    });

  test('A1 an ordinary question, a task, a question for advice or a statement asks for no fact', () => {
    const asked = ORDINARY_QUESTIONS.filter((text) => asksFor(text) !== null);
    expect(asked).toStrictEqual([]);
  });

  test('A1 each fact of a question is looked for, under each attribute that may name it', () => {
    expect(attributesIn('What is my name and my shoe size?')).toStrictEqual([
      ['name'],
      ['shoe_size'],
    ]);
    expect(attributesIn("What is my name? I forgot. And what's my job?")).toStrictEqual([
      ['name'],
      ['current_job', 'job'],
    ]);
    expect(attributesIn('What is my plan for tonight?')).toStrictEqual([
      ['plan_for_tonight', 'plan'],
    ]);
    expect(attributesIn('What is the name of my dog?')).toStrictEqual([
      ['dog_s_name', 'dogs_name', 'dog_name'],
    ]);
    expect(attributesIn('What is my favourite film?')).toStrictEqual([
      ['favourite_film', 'favorite_film'],
    ]);
  });

  test('A1 a fact about somebody else is not the user’s own fact', () => {
    expect(attributesIn('What is my mother’s favorite color?')).toStrictEqual([
      ['mother_s_favorite_color', 'mothers_favorite_color'],
    ]);
    expect(attributesIn('What is John’s favorite color?')).toStrictEqual([
      ['john_s_favorite_color'],
    ]);
    expect(attributesIn('Where does my brother work?')).toStrictEqual([['brother_work']]);
  });

  test('A1 the words of a phrase count in any order', () => {
    for (const text of [
      'Which color do I really like most?',
      'Of all colors, what color is it that I like most?',
      'Which color is my favorite?',
    ])
      expect([text, attributesIn(text)]).toStrictEqual([text, [['favorite_color']]]);
    expect(attributesIn('What color is my car?')).not.toContainEqual(['favorite_color']);
  });

  test('A1 a long text of any shape is read within the time limit of a test', () => {
    for (const part of [
      'my ',
      'my a ',
      'my in ',
      'what is my ',
      'my name ',
      "my mother's ",
      '?',
      '. ',
      '“',
      '"',
      'hi ',
      'tell me ',
      'a_s_',
      'I wonder ',
      'what is ',
      'birth date ',
      ', what ',
      'and my',
      'know about ',
    ]) {
      asksFor(part.repeat(16_000 / part.length));
      asksFor(`What is ${part.repeat(15_000 / part.length)}?`);
    }
  });
});
