import { describe, expect, it } from '@jest/globals';
import type { AgentAnswer, AgentContext, Question } from '#agents/agent.js';
import { Calculator } from '#agents/math/calculator.js';
import { MathAgent } from '#agents/math/math.agent.js';

const agent = new MathAgent(new Calculator());

const question = (query_text: string): Question => ({
  query_text,
  user_id: null,
  context_tags: {},
  route_reason: 'math_detect',
});
const contextWith = (signal: AbortSignal): AgentContext => ({
  signal,
  fact: () => {
    throw new Error('the math agent must not read facts');
  },
  profile: () => {
    throw new Error('the math agent must not read facts');
  },
});
const ask = (text: string, signal = new AbortController().signal): Promise<AgentAnswer> =>
  agent.answer(question(text), contextWith(signal));

const LARGE = 'I can’t compute that: the numbers grow too large or too small.';
const COMPLEX = 'That is too complex for me.';

describe('The math agent', () => {
  const computed: readonly (readonly [asked: string, answer: string])[] = [
    ['Solve 2 + 2.', '2 + 2 = 4'],
    ['What is 2+2?', '2 + 2 = 4'],
    ['calculate 12 * (3+4)', '12 * (3 + 4) = 84'],
    ['10 / 4', '10 / 4 = 2.5'],
    ['0.1 + 0.2', '0.1 + 0.2 = 0.3'],
    ['1/3 + 1/6', '1 / 3 + 1 / 6 = 0.5'],
    ['what is 1/3?', '1 / 3 = 1/3 ≈ 0.333333333333'],
    ['10 - 2 - 3', '10 - 2 - 3 = 5'],
    ['2^3^2', '2^3^2 = 512'],
    ['-3^2', '-3^2 = -9'],
    ['2^-2', '2^(-2) = 0.25'],
    ['7 mod 3', '7 mod 3 = 1'],
    ['-7 mod 3', '-7 mod 3 = 2'],
    ['5!', '5! = 120'],
    ['1,000 + 2', '1000 + 2 = 1002'],
    ['1.5e3 + 1', '1.5 * 10^3 + 1 = 1501'],
    ['12345678901234567890 * 10', '12345678901234567890 * 10 = 123456789012345678900'],
    ['３ × ４', '3 * 4 = 12'],
    ['8 ÷ 2 − 1', '8 / 2 - 1 = 3'],
    ['3²', '3^2 = 9'],
    ['√16', 'sqrt(16) = 4'],
    ['square root of 2', 'sqrt(2) ≈ 1.41421356237'],
    ['sqrt(2/8)', 'sqrt(2 / 8) = 0.5'],
    ['cbrt(-27)', 'cbrt(-27) ≈ -3'],
    ['sin(pi)', 'sin(pi) ≈ 0'],
    ['cos 0', 'cos(0) ≈ 1'],
    ['log10(1000)', 'log10(1000) = 3'],
    ['log(8, 2)', 'log(8, 2) = 3'],
    ['ln(1)', 'ln(1) = 0'],
    ['log10(1/8)', 'log10(1 / 8) ≈ -0.903089986992'],
    // No factor of this number is small.
    ['log10(1000000016000000063)', 'log10(1000000016000000063) ≈ 18.0000000069'],
    ['log(1000000016000000063, 7)', 'log(1000000016000000063, 7) ≈ 21.2993039324'],
    ['log2(1000000016000000063)', 'log2(1000000016000000063) ≈ 59.7947057311'],
    ['floor(pi)', 'floor(pi) = 3'],
    ['round(pi, 2)', 'round(pi, 2) = 3.14'],
    ['min(3, pi)', 'min(3, pi) = 3'],
    ['(-1)!', 'Only whole numbers from 0 have a factorial.'],
    ['log(1, 0)', 'That has no real value.'],
    ['1/(10^-400)*10^-399', '1 / 10^(-400) * 10^(-399) = 10'],
    ['max(1, 200, 3)', 'max(1, 200, 3) = 200'],
    ['gcd(12, 18)', 'gcd(12, 18) = 6'],
    ['round(3.14159, 2)', 'round(3.14159, 2) = 3.14'],
    ['3 plus 4 times 2', '3 + 4 * 2 = 11'],
    ['12 divided by 5', '12 / 5 = 2.4'],
    ['2 to the power of 8', '2^8 = 256'],
    ['the sum of 3 and 4', '3 + 4 = 7'],
    ['Calculate 3 squared plus 4 squared', '3^2 + 4^2 = 25'],
    ['What is 15% of 80?', '15 / 100 * 80 = 12'],
    ['7.5 percent of 40', '7.5 / 100 * 40 = 3'],
    ['increase 80 by 15%', '80 * (1 + 15 / 100) = 92'],
    ['20% off 50', '(1 - 20 / 100) * 50 = 40'],
    ['50 + 10%', '50 + 50 * 10 / 100 = 55'],
    ['what percent of 80 is 20?', '100 * 20 / 80 = 25'],
    ['1/0', 'Dividing by zero gives no number.'],
    ['5 mod 0', 'Dividing by zero gives no number.'],
    ['0^-1', 'Dividing by zero gives no number.'],
    ['sqrt(-4)', 'That has no real value.'],
    ['ln(0)', 'That has no real value.'],
    ['log(2, 1)', 'That has no real value.'],
    ['1 + 1 = 3', 'That is false.'],
    ['derivative of x^3 + 2x', 'The derivative of x^3 + 2 * x with respect to x is 3 * x^2 + 2.'],
    [
      'differentiate sin(t) with respect to t',
      'The derivative of sin(t) with respect to t is cos(t).',
    ],
    ['d/dx ln(x)', 'The derivative of ln(x) with respect to x is 1 / x.'],
    ['derivative of 5', 'The derivative of 5 with respect to x is 0.'],
    ['Integrate x^2 dx', 'The integral of x^2 with respect to x is x^3 / 3 + C.'],
    ['∫ 3x² − 2x dx', 'The integral of 3 * x^2 - 2 * x with respect to x is x^3 - x^2 + C.'],
    ['integrate x^2 dx from 0 to 3', 'The integral of x^2 with respect to x from 0 to 3 is 9.'],
    ['integrate 0 dx', 'The integral of 0 with respect to x is C.'],
    ['2x + 3 = 7', 'x = 2'],
    ['Solve for x: 3x = 1', 'x = 1/3 ≈ 0.333333333333'],
    ['solve x^2 - 4 = 0', 'x = -2 or x = 2'],
    ['solve x^2 = 2 for x', 'x ≈ -1.41421356237 or x ≈ 1.41421356237'],
    ['x^2 - 2x + 1 = 0', 'x = 1'],
    ['x^2 + 1 = 0', 'No real x makes that true.'],
    ['x + 1 = x', 'No x makes that true.'],
    ['2(x + 1) = 2x + 2', 'That is true for every x.'],
    ['x/0 = 2', 'Dividing by zero gives no number.'],
    ['derivative of 0/0 + x', 'Dividing by zero gives no number.'],
    ['derivative of x/(2 - 2)', 'Dividing by zero gives no number.'],
  ];
  for (const [asked, answer] of computed)
    it(`the math agent works out ${JSON.stringify(asked)}`, async () => {
      const { text, confidence, tokens, sem_keys } = await ask(asked);
      expect([text, confidence, tokens, sem_keys]).toStrictEqual([answer, 1, 0, []]);
    });

  const unable: readonly (readonly [asked: string, says: RegExp])[] = [
    ['Integrate sin(x) dx', /^I can’t integrate that symbolically/],
    ['integrate x^2 dx from 0 to infinity', /^I can’t work that out/],
    ['x^3 = 8', /^I can’t solve that/],
    ['x * y = 2', /^I can’t solve that/],
    ['sin(x) = 1', /^I can’t solve that/],
    ['derivative of x!', /^I can’t differentiate that/],
    ['derivative of a b', /^Which variable do you mean: a, b\?/],
    ['Who won the 1998 world cup?', /^I can’t work that out\. I compute arithmetic/],
    ['How many days are in 3 weeks?', /^I can’t work that out/],
    ['1998', /^I can’t work that out/],
    ['2y + 3y', /^I can’t work that out/],
    ['2 +', /^I can’t work that out/],
    ['', /^I can’t work that out/],
    ['d/dx', /^I can’t work that out/],
    ['integrate', /^I can’t work that out/],
    ['=', /^I can’t work that out/],
    [`${'1+'.repeat(20_000)}1`, /^I can’t work that out/],
  ];
  for (const [asked, says] of unable)
    it(`the math agent answers with low confidence that it cannot work out ${JSON.stringify(asked.slice(0, 40))}`, async () => {
      const { text, confidence } = await ask(asked);
      expect(text).toMatch(says);
      expect(confidence).toBeLessThan(0.5);
    });
});

describe('Hostile formulas', () => {
  const foreign = [
    'import({a: 1}, {override: true})',
    'createUnit("foo")',
    'evaluate("1 + 1")',
    'parse("1 + 1")',
    'rationalize(x)',
    'f(x) = x',
    'a = 1; b = 2',
    'sqrt.constructor("return process")()',
    'x.constructor',
    'a["constructor"]',
    '__proto__',
    'constructor(1)',
    'toString(1)',
    'hasOwnProperty(2)',
    'zeros(10000, 10000)',
    '[1, 2, 3]',
    '1:1000000000',
    '{a: 1}',
    '1 < 2 ? 3 : 4',
    '1 << 1000000000',
    '"abc"',
    '`${1}`',
    '5 cm to m',
    'random()',
    'range(1, 1e9)',
    'combinations(1e6, 5e5)',
    'bignumber(1)',
    'sqrt',
    'sqrt(1, 2)',
    'gcd(1.5, 2)',
    'round(1, 99)',
  ];
  for (const text of foreign)
    it(`a formula with anything but numbers, variables and listed functions is not computed: ${text}`, async () => {
      const { confidence } = await ask(text);
      expect(confidence).toBeLessThan(0.5);
    });

  const heavy: readonly (readonly [asked: string, says: string])[] = [
    ['9^9^9', LARGE],
    ['9^9^9^9^9', LARGE],
    ['(2^1000)^1000', LARGE],
    ['0.5^99999', LARGE],
    ['1000000!', LARGE],
    ['3!!!!', LARGE],
    ['1e9999', LARGE],
    ['400! * 400!', LARGE],
    ['exp(1000)', LARGE],
    ['derivative of x^(9^9^9)', LARGE],
    ['derivative of 9^99999999 x', LARGE],
    ['derivative of (1/3)^9999 x', LARGE],
    ['integrate (x + 9^400)^60 dx', LARGE],
    ['integrate (x + 1)^65 dx', LARGE],
    [`derivative of ${'sin('.repeat(80)}x${')'.repeat(80)}`, COMPLEX],
    [`derivative of ${Array.from({ length: 40 }, (_, at) => `(x+${at})`).join('*')}`, COMPLEX],
  ];
  for (const [asked, says] of heavy)
    it(`a formula that needs too much computation is refused: ${asked.slice(0, 30)}`, async () => {
      const { text, confidence } = await ask(asked);
      expect(text).toBe(says);
      expect(confidence).toBeLessThan(0.5);
    });

  it('a formula that would keep the library busy forever is stopped, and the next one is answered', async () => {
    const endless = ask(`derivative of ${'x^'.repeat(20)}x`);
    const next = ask('2 + 2');
    expect((await endless).text).toBe(LARGE);
    expect((await next).text).toBe('2 + 2 = 4');
  });

  it('an abort stops the running and the waiting formula, and the next one is answered', async () => {
    const caller = new AbortController();
    const reason = new Error('the agent ran out of time');
    const running = ask(`derivative of ${'x^'.repeat(20)}x`, caller.signal);
    const waiting = ask('3 + 3', caller.signal);
    const next = ask('2 + 2');
    setImmediate(() => caller.abort(reason));
    await expect(running).rejects.toBe(reason);
    await expect(waiting).rejects.toBe(reason);
    expect((await next).text).toBe('2 + 2 = 4');
  });

  it('a formula is read in linear time', async () => {
    for (const part of [
      '(',
      ')',
      '-',
      '!',
      '1',
      '1,000',
      '% of ',
      '2 ',
      'sqrt ',
      'x',
      'x ',
      'what is ',
      ' ',
      'd',
      'e',
      '1e9',
    ])
      await ask(part.repeat(Math.floor(1_000 / part.length)));
  });
});
