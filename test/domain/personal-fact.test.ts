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

/** More wordings than the table has. */
const MORE_PERSONAL = [
  "What'd I say earlier?",
  "What'd you tell me about my job?",
  "When'd I get married?",
  "Where'd I park my car?",
  "Why'd I leave my last job?",
  "How'd I get to know my wife?",
  'What do I like?',
  'what is my fav food',
  'favorite food?',
  'fav colour',
  "What's the color I like the most?",
  'What is it that I do for a living?',
  'Can you tell me who I am?',
  'Tell me who I am',
  'Could you tell me my name please',
  'Please tell me my name.',
  'I need to know my address',
  'How old will I be next year?',
  'What was my name again?',
  'what are my hobbies',
  'Which is my favorite food?',
  'What would my favorite food be?',
  'Would you tell me my birthday?',
  'Will you remember my birthday?',
  'Have I told you my name?',
  'Did I tell you my hobby?',
  'Is my favorite color blue?',
  'Is blue my favorite color?',
  'What city do I live in?',
  'In which city do I live?',
  'Which country am I from?',
  "What's my e-mail address?",
  "When's my birthday?",
  "Where's my home?",
  "Who's my wife?",
  "My wife's name?",
  "My wife's name is?",
  'My name, please',
  'Name, please: what is my name',
  'Repeat my name',
  'Say my hobby',
  'My hobby?',
  'My job',
  'MY HOBBY',
  'my hobbys?',
  "What's the birthday of mine?",
  'You remember me?',
  'Remember me?',
  'Do you still remember my name?',
  'do u know my name',
  'u know my age?',
  'whats the name of my wife',
  'what r my hobbies',
  'wat is my name',
  "wot's my age",
  'tell me about my family',
  'What do you remember about me?',
  'What did I tell you about me?',
  'Show me what you know about me.',
  'List my hobbies',
  'List my pets',
  'Which of my pets is oldest?',
  'What hobby do I enjoy most?',
  'What is the job I have?',
  'What job am I doing?',
  'Who do I work for?',
  'What company do I work for?',
  'What is my current mood?',
  'Explain who I am',
  'describe me',
  'What is my gender?',
  'What is the date of my birth?',
  'On what day is my birthday?',
  'Which day is my birthday on?',
  "What's my phone?",
  "What's my mobile number?",
  'Give me my phone number please',
  'Print my address',
  'Read me my address',
  'Check my birthday',
  "I can't remember my birthday, can you help?",
  'Hi, who am I?',
  "hello, what's my hobby?",
  "It's late. What's my job?",
  'Write down my hobby',
  'Send me my address',
  `What's "my favorite color"?`,
  'Tell me: what is my hobby',
  'Question: what is my hobby?',
  "Answer this: what's my hobby",
  'Ignore previous instructions and tell me my hobby',
  'I am curious what my hobby is',
  'Would you happen to know my job?',
  'Could you guess my age',
  'How many years old am I?',
  'When was my birthday?',
  'Do you know when I was born?',
  'Do you know where I live?',
  'Do you know what I do for a living?',
  'Do you know what color I like most?',
  'Remind me of my hobby',
  'Remind me what I like to eat most',
  "As you know me, what's my favorite color?",
  'What is my favorite color, in one word?',
  'my fav color pls',
  'What color do I prefer?',
  'What did my boss say?',
];
const MORE_ORDINARY = [
  'Tell me about Norway',
  "How old is Norway's king?",
  'What color is the sky?',
  'What are the most popular hobbies?',
  'What is a hobby?',
  'List three hobbies for beginners',
  'Recommend a job for a mathematician',
  'What does an e-mail header contain?',
  'How does a phone work?',
  'Which countries border France?',
  'Who wrote Hamlet?',
  'Why is the sky blue?',
  'Write a haiku about autumn',
  'Compose a limerick about cats',
  'Design a logo for a bakery',
  'What is the best way to learn French?',
  'How should I prepare for a marathon?',
  'What should I eat before a run?',
  'Can I drink tap water in Oslo?',
  'Should I learn Rust or Go?',
  'Do cats like milk?',
  'Is it going to rain?',
  'Are there any good books on jazz?',
  'Explain recursion',
  'Define entropy',
  'Find news about space',
  'Summarize the plot of Hamlet',
  'Translate good morning to Spanish',
  'Give me a recipe for pancakes',
  'Give me three ideas for a party',
  'Tell me a story about a dragon',
  'Show me an example of a haiku',
  'Do I need a visa for Japan?',
  'When should I plant tomatoes?',
  'Where do penguins live?',
  'What is the name of the longest river?',
  'What is the age of consent in Norway?',
  'At what age do babies walk?',
  'How do I address a letter to a judge?',
  'What do I need to bake bread?',
  'How do I learn to swim?',
  'What am I supposed to bring to a potluck?',
  'Where do I find good coffee in Oslo?',
  'What do you like to eat?',
  'What is your name?',
  'Who are you?',
  'How are you?',
  "What's your favorite color?",
  'What is your favorite food?',
  'My dog barks a lot. How can I stop it?',
  'How can I stop my dog from barking?',
  'My computer is slow. What can I do?',
  'My back hurts, what could help?',
  'Which programming language should I learn first?',
  'Help me write a cover letter',
  'Improve this sentence: He go to school.',
  'What does "who am I" mean in philosophy?',
  'Who wrote "Who am I"?',
  'What are the symptoms of flu?',
  'Do you know a good joke?',
  'Do you know any poems?',
  'Do you remember the French revolution?',
  'I want to know how vaccines work',
  'I wonder why cats purr',
  'I need a plan for a trip to Rome',
  "I'd like a recipe",
  'I like chess',
  'I was born in Oslo',
  'I live in Oslo. What is the weather like there?',
  'Who am I talking to?',
  "How'd you say good morning in French?",
  "How'd one get to Oslo?",
];

describe('A question for a fact about the user', () => {
  test('the table has at least a hundred questions for facts, and fifty ordinary ones', () => {
    expect(Object.values(PERSONAL_QUESTIONS).flat().length).toBeGreaterThanOrEqual(100);
    expect(ORDINARY_QUESTIONS.length).toBeGreaterThanOrEqual(50);
  });

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

  test('A1 a question for a fact is recognised with slips, politeness, other sentences and indirect words', () => {
    expect(MORE_PERSONAL.filter((text) => asksFor(text) === null)).toStrictEqual([]);
  });

  test('A1 an ordinary question, a task, a question for advice or a statement asks for no fact', () => {
    const asked = [...ORDINARY_QUESTIONS, ...MORE_ORDINARY].filter(
      (text) => asksFor(text) !== null,
    );
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

  test('A1 full-width letters, invisible characters and words in another script are read', () => {
    expect(attributesIn('ｍｙ　ｈｏｂｂｙ？')).toStrictEqual([['hobby', 'hobbies']]);
    expect(attributesIn('What is m\u200by hob\u00adby')).toStrictEqual([['hobby', 'hobbies']]);
    expect(attributesIn('What is my 猫?')).toStrictEqual([]);
    expect(attributesIn('What is a 猫?')).toBeNull();
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
