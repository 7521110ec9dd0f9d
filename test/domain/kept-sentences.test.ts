import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { MAX_KEPT } from '#domain/memories/limits.js';
import { sortSentences } from '#domain/memories/kept-sentences.js';

describe('What lasts of a person’s words (W1)', () => {
  it.each([
    ['Remember that the spare key is under the pot.', 'asked'],
    ['Could you keep in mind that Omar is vegan?', 'asked'],
    ['Always answer in German.', 'instruction'],
    ['Never use emojis with me.', 'instruction'],
    ['When you write code, use tabs.', 'instruction'],
    ['Celsius please, not Fahrenheit.', 'instruction'],
    ['Call me Jo.', 'instruction'],
    ['Keep answers short.', 'instruction'],
    ['Be concise.', 'instruction'],
    ['No nuts please', 'instruction'],
    ['I told you I am vegan', 'about_you'],
    ['I work nights at a bakery', 'about_you'],
    ['my sister moved to Lyon', 'about_you'],
    ["we're expecting twins in May", 'about_you'],
    ['allergic to bees btw', 'about_you'],
    ['Broke my wrist last winter.', 'about_you'],
    ['We decided on the blue logo.', 'about_you'],
    ["Let's go with SQLite.", 'about_you'],
    ['The kids start school at eight.', 'about_you'],
    ['Tuesdays it is choir practice, without fail.', 'about_you'],
    ['Ich esse kein Fleisch.', 'other_language'],
    ['Vivo en Sevilla con mi hermana.', 'other_language'],
    ['わたしは猫を飼っています。', 'other_language'],
    ['Я не ем орехи.', 'other_language'],
  ])('%j is kept', (text, because) => {
    expect(sortSentences(text)).toStrictEqual({ kept: [{ text, because }], not_kept: [] });
  });

  it.each([
    ['What can I cook with leeks?', 'question'],
    ['where did i put my keys', 'question'],
    ['I wonder how tides work.', 'question'],
    ['Do you remember my name?', 'question'],
    ['Write a birthday card for my aunt.', 'task'],
    ['I need you to check this invoice', 'task'],
    ['I want a recipe for soup.', 'task'],
    ['Can you summarise my notes?', 'task'],
    ['make it shorter', 'task'],
    ['Hello!', 'small_talk'],
    ['Thanks a lot', 'small_talk'],
    ["I don't think that's right.", 'small_talk'],
    ['I see, that makes sense.', 'small_talk'],
    ['He said "I am a doctor".', 'quotation'],
    ['My boss wrote: I am on holiday until Monday', 'quotation'],
    ['If I were rich, I would buy a boat.', 'supposition'],
    ['The Danube flows into the Black Sea.', 'not_about_you'],
    ['If I had a dog I would call it Rex.', 'supposition'],
    ['Forget that I am vegan.', 'asked_to_forget'],
    ['Please forget everything about me.', 'asked_to_forget'],
    ['My password for the site is swordfish.', 'sensitive'],
    ['Remember my PIN: 4711', 'sensitive'],
    ['Wo wohne ich?', 'question'],
    ['猫は好きですか？', 'question'],
  ])('%j is not kept', (text, reason) => {
    const { kept, not_kept } = sortSentences(text);
    expect(kept).toStrictEqual([]);
    expect(not_kept).toStrictEqual([{ text, reason }]);
  });

  it('decides sentence by sentence, and a sentence that refers to the one before goes with it', () => {
    const said = 'Hi! I have a dog. She is called Luna. How often should I feed her?';
    expect(sortSentences(said)).toStrictEqual({
      kept: [{ text: 'I have a dog. She is called Luna.', because: 'about_you' }],
      not_kept: [
        { text: 'Hi!', reason: 'small_talk' },
        { text: 'How often should I feed her?', reason: 'question' },
      ],
    });
  });

  it('a text to work on is not the speaker’s own', () => {
    const said = 'Translate this: I am a nurse. I live in Ghent.';
    expect(sortSentences(said).kept).toStrictEqual([]);
  });

  it('a sentence beyond the length of a memory, and sentences beyond the most of a request, are named', () => {
    const long = `I like ${'very '.repeat(1_000)}long walks.`;
    expect(sortSentences(long).not_kept).toStrictEqual([{ text: long, reason: 'too_long' }]);
    const many = Array.from({ length: MAX_KEPT + 3 }, (_, n) => `I have ${n} coins.`).join(' ');
    const { kept, not_kept } = sortSentences(many);
    expect(kept).toHaveLength(MAX_KEPT);
    expect(not_kept.map(({ reason }) => reason)).toStrictEqual([
      'too_many',
      'too_many',
      'too_many',
    ]);
  });

  it('a long text of quotation marks or of short sentences is looked at in slices', () => {
    for (const piece of ['„', '“', '“““““““a\n', 'a. ', 'my x is y\n', "'a "]) {
      const said = piece.repeat(Math.floor(16_384 / piece.length));
      const { kept, not_kept } = sortSentences(said);
      expect(kept.length).toBeLessThanOrEqual(MAX_KEPT);
      expect(kept.length + not_kept.length).toBeGreaterThanOrEqual(0);
    }
  });

  it('nothing is made up: each sentence has only words that were said, and the same words give the same', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 20 }),
      fc.constantFrom('I am ', 'my cat. ', '? ', '"', '. She is here. ', '\n', 'Remember ', ': '),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const said = pieces.join('');
        const { kept, not_kept } = sortSentences(said);
        for (const { text } of [...kept, ...not_kept])
          for (const word of text.split(/\s+/u)) expect(said).toContain(word);
        expect(sortSentences(said)).toStrictEqual({ kept, not_kept });
      }),
    );
  });
});
