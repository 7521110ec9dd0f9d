import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { evaluate as referenceValue } from 'mathjs';
import { carryOut } from '#agents/math/carry-out.js';
import { readTask } from '#agents/math/reading.js';
import { ensure } from '#test/support/ensure.js';
import { tries } from '#test/support/tries.js';

/** A fraction and its text in a formula. */
interface Term {
  readonly text: string;
  readonly n: bigint;
  readonly d: bigint;
}

const reduced = (text: string, n: bigint, d: bigint): Term => {
  let [a, b] = [n < 0n ? -n : n, d < 0n ? -d : d];
  while (b !== 0n) [a, b] = [b, a % b];
  const by = d < 0n ? -a : a;
  return { text, n: n / by, d: d / by };
};
const whole = fc.integer({ min: 0, max: 999 }).map((of) => reduced(String(of), BigInt(of), 1n));
const decimal = fc
  .tuple(fc.integer({ min: 0, max: 99 }), fc.integer({ min: 0, max: 99 }))
  .map(([of, hundredths]) => {
    const places = String(hundredths).padStart(2, '0');
    return reduced(`${of}.${places}`, BigInt(of * 100 + hundredths), 100n);
  });
const { term } = fc.letrec<{ term: Term }>((tie) => ({
  term: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    whole,
    decimal,
    fc
      .tuple(tie('term'), fc.constantFrom('+', '-', '*', '/'), tie('term'))
      .map(([left, by, right]) => combined(left, by, right)),
    tie('term').map((of) => ({ ...of, text: `(-(${of.text}))`, n: -of.n })),
  ),
}));

function combined(left: Term, by: '+' | '-' | '*' | '/', right: Term): Term {
  const text = `(${left.text} ${by} ${right.text})`;
  const [up, down] = [left.n * right.d, right.n * left.d];
  if (by === '+') return reduced(text, up + down, left.d * right.d);
  if (by === '-') return reduced(text, up - down, left.d * right.d);
  if (by === '*') return reduced(text, left.n * right.n, left.d * right.d);
  // Leaves out division by zero, which has its own test.
  return right.n === 0n ? left : reduced(text, up, left.d * right.n);
}

/** Reads a decimal or `n/d` as a fraction. */
function fractionIn(text: string): readonly [bigint, bigint] {
  const [above = '', below = '1'] = text.split('/');
  const [of = '', places = ''] = above.split('.');
  const { n, d } = reduced('', BigInt(of + places), BigInt(below) * 10n ** BigInt(places.length));
  return [n, d];
}

test('the result of arithmetic is exact, however deeply the formula is nested', () => {
  fc.assert(
    fc.property(term, ({ text, n, d }) => {
      const task = readTask(`What is (${text}) + 0?`);
      ensure(task);
      const result = carryOut(task);
      const found = / = (-?[\d./]+)(?: ≈ [^ ]+)?$/.exec(result.text)?.[1];
      ensure(found !== undefined);
      expect(fractionIn(found)).toStrictEqual([n, d]);
    }),
  );
});

const { formula } = fc.letrec<{ formula: string }>((tie) => ({
  formula: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constant('x'),
    fc.integer({ min: 1, max: 9 }).map(String),
    fc
      .tuple(tie('formula'), fc.constantFrom(' + ', ' - ', ' * ', ' / '), tie('formula'))
      .map((parts) => `(${parts.join('')})`),
    fc
      .tuple(fc.constantFrom('sin', 'cos', 'exp', 'sqrt'), tie('formula'))
      .map(([name, of]) => `${name}(${of})`),
    fc.tuple(tie('formula'), fc.constantFrom(2, 3)).map(([of, power]) => `((${of})^${power})`),
  ),
}));

/**
 * Evaluates the formula in doubles with the complete mathematics library, as a check that does not
 * depend on the code of the service.
 */
const at = (text: string, x: number): number => {
  const value: unknown = referenceValue(text.replaceAll('ln(', 'log('), { x });
  return typeof value === 'number' ? value : Number.NaN;
};
const near = (found: number, wanted: number, tolerance: number): boolean =>
  !Number.isFinite(found) ||
  !Number.isFinite(wanted) ||
  Math.abs(wanted) > 1e5 ||
  Math.abs(found - wanted) <= tolerance * Math.max(1, Math.abs(wanted));

test('the derivative of a formula equals its slope', () => {
  fc.assert(
    fc.property(formula, (text) => {
      const { text: said } = carryOut({ kind: 'derivative', expression: text, variable: 'x' });
      const found = / with respect to x is (.+)\.$/.exec(said)?.[1];
      if (found === undefined) return;
      const [x, step] = [0.7, 1e-5];
      const slope = (at(text, x + step) - at(text, x - step)) / (2 * step);
      const half = (at(text, x + step / 2) - at(text, x - step / 2)) / step;
      // At this point the slope cannot be measured.
      if (!near(half, slope, 1e-5)) return;
      expect(near(at(found, x), slope, 1e-3)).toBe(true);
    }),
    { numRuns: tries(60) },
  );
});

test('the derivative of an integral equals the integrand', () => {
  const coefficients = fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(coefficients, (of) => {
      const expression = of.map((each, power) => `(${each}) * x^${power}`).join(' + ');
      const task = { kind: 'integral', expression, variable: 'x', bounds: null } as const;
      const found = / with respect to x is (.+)\.$/.exec(carryOut(task).text)?.[1] ?? '';
      const [x, step] = [0.7, 1e-5];
      const integral = found.replace(/ ?\+? ?C$/, '') || '0';
      const slope = (at(integral, x + step) - at(integral, x - step)) / (2 * step);
      expect(near(slope, at(expression, x), 1e-6)).toBe(true);
    }),
    { numRuns: tries(60) },
  );
});

test('no text makes the parser or the calculator throw', () => {
  const piece = fc.constantFrom(
    ...'0 1 2.5 9e9 x y e pi ( ) + - * / ^ ! % = , . mod sqrt sin ln log gcd of from to dx d/dx'.split(
      ' ',
    ),
    ...['integrate ', 'derivative of ', 'solve ', 'what is ', ' ', '"', '[', ';', '²'],
  );
  const text = fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join(''));
  fc.assert(
    fc.property(fc.oneof(text, fc.string({ maxLength: 60 })), (of) => {
      const task = readTask(of);
      if (task) expect(typeof carryOut(task).text).toBe('string');
    }),
    { numRuns: tries(400) },
  );
});
