import type {
  ConstantNode,
  Fraction,
  FunctionNode,
  MathNode,
  OperatorNode,
  ParenthesisNode,
  SymbolNode,
} from 'mathjs';
import { math } from './expression.js';
import { notMath, NotSolved, tooLarge } from './task.js';

/** An exact fraction, or a double if the value cannot be kept exact. */
export type Quantity = Fraction | number;

const MAX_BITS = 4_096;
const MAX_FACTORIAL = 400n;
const MAX_LOGARITHM = 1_000;
/** The largest number of which a root is exact: fraction.js factors it, which is cheap for small numbers. */
const MAX_ROOT_OF = 1_000_000_000_000n;

export const dividedByZero = (): NotSolved =>
  new NotSolved('Dividing by zero gives no number.', true);
export const noRealValue = (): NotSolved => new NotSolved('That has no real value.', true);

export const isExact = (of: unknown): of is Fraction =>
  typeof of === 'object' && of !== null && 'n' in of;
export const approximate = (of: Quantity): number => of.valueOf();
export const exact = (of: number): Fraction => math.fraction(of);
export const isZero = (of: Quantity): boolean => (isExact(of) ? of.n === 0n : of === 0);

const bits = (of: bigint): number => of.toString(2).length;
/** Returns the size in bits of the numerator or of the denominator, whichever is larger. */
export const sizeOf = (of: Fraction): number => Math.max(bits(of.n), bits(of.d));

function exactPower(base: Fraction, exponent: Fraction): Fraction | undefined {
  if (exponent.d === 1n)
    return Number(exponent.n) * sizeOf(base) <= MAX_BITS
      ? (base.pow(exponent) ?? undefined)
      : undefined;
  const isSmall = base.n <= MAX_ROOT_OF && base.d <= MAX_ROOT_OF;
  if (!isSmall || base.s < 0n || exponent.n > 100n || exponent.d > 10n) return undefined;
  return base.pow(exponent) ?? undefined;
}

function exactFactorial({ s, n, d }: Fraction): Fraction | undefined {
  if (s < 0n || d !== 1n || n > MAX_FACTORIAL) return undefined;
  let product = 1n;
  for (let factor = 2n; factor <= n; factor += 1n) product *= factor;
  return math.fraction(product);
}

/** A logarithm that is a whole number. Fraction.log would factor its numbers, which takes for ever for large ones. */
function exactLogarithm(of: Fraction, base = exact(0)): Fraction | undefined {
  if (of.equals(1)) return exact(0);
  const whole = Math.round(Math.log(approximate(of)) / Math.log(approximate(base)));
  if (!(Math.abs(whole) <= MAX_LOGARITHM)) return undefined;
  return exactPower(base, exact(whole))?.equals(of) === true ? exact(whole) : undefined;
}

/** Exact values that the library computes in doubles, or without a limit. */
const EXACT: Readonly<Record<string, (...args: Fraction[]) => unknown>> = {
  pow: exactPower,
  factorial: exactFactorial,
  sqrt: (of) => exactPower(of, math.fraction(1, 2)),
  cbrt: (of) => exactPower(of, math.fraction(1, 3)),
  log: exactLogarithm,
  log10: (of) => exactLogarithm(of, exact(10)),
  log2: (of) => exactLogarithm(of, exact(2)),
  round: (of, places = exact(0)) => (Number(places) <= 15 ? of.round(Number(places)) : undefined),
};

/** The functions whose value is exact although their argument is a double. */
const ROUNDING: ReadonlySet<string> = new Set(['ceil', 'floor', 'round', 'sign']);
const OF_WHOLE_NUMBERS: ReadonlySet<string> = new Set(['gcd', 'lcm']);
const CHOOSING: ReadonlySet<string> = new Set(['max', 'min']);

const isWhole = (of: Quantity): boolean => isExact(of) && of.d === 1n;

const library = math as unknown as Readonly<Record<string, unknown>>;

/** Calls a function of the library; undefined if it has no value for such numbers. */
function called(of: unknown, args: readonly Quantity[]): unknown {
  try {
    return (of as (...args: readonly Quantity[]) => unknown)(...args);
  } catch {
    return undefined;
  }
}

/**
 * Applies an operator or a function: exactly if the result is a fraction, else in doubles.
 * @throws NotSolved if the library finds no result, or if the result is too large.
 */
export function apply(name: string, ...args: readonly Quantity[]): Quantity {
  const [first = 0, second = 1] = args;
  const divides = name === 'divide' || name === 'mod';
  if (divides && isZero(second)) throw dividedByZero();
  if (name === 'pow' && isZero(first) && approximate(second) < 0) throw dividedByZero();
  const base = name === 'log' ? args[1] : undefined;
  const isBase = base === undefined || (approximate(base) > 0 && approximate(base) !== 1);
  if (name.startsWith('log') && (approximate(first) <= 0 || !isBase)) throw noRealValue();
  if (OF_WHOLE_NUMBERS.has(name) && !args.every(isWhole)) throw notMath();
  if (name === 'factorial' && !(isWhole(first) && approximate(first) >= 0))
    throw new NotSolved('Only whole numbers from 0 have a factorial.', true);
  if (args.every(isExact)) {
    const found = called(EXACT[name] ?? library[name], args);
    if (isExact(found)) {
      if (sizeOf(found) > MAX_BITS) throw tooLarge();
      return found;
    }
  }
  const found = called(library[name], args.map(approximate));
  if (found === undefined) throw notMath();
  if (typeof found !== 'number' || Number.isNaN(found)) throw noRealValue();
  const isRoundedToZero = name === 'pow' && found === 0 && !isZero(first);
  if (!Number.isFinite(found) || isRoundedToZero) throw tooLarge();
  if (CHOOSING.has(name)) return args.find((arg) => approximate(arg) === found) ?? found;
  return ROUNDING.has(name) ? exact(found) : found;
}

/**
 * Returns the value of a formula without variables. The value is exact as long as fractions suffice;
 * each step limits their size. @throws NotSolved if the formula has no value or the value is too large.
 */
export function evaluate(node: MathNode): Quantity {
  switch (node.type) {
    case 'ParenthesisNode':
      return evaluate((node as ParenthesisNode).content);
    case 'ConstantNode':
      return apply('unaryPlus', math.fraction((node as ConstantNode).value));
    case 'SymbolNode':
      return library[(node as SymbolNode).name] as number;
    case 'OperatorNode': {
      const { fn, args } = node as OperatorNode;
      return apply(fn, ...args.map(evaluate));
    }
    case 'FunctionNode': {
      const { fn, args } = node as FunctionNode;
      return apply(fn.name, ...args.map(evaluate));
    }
    default:
      throw notMath();
  }
}
