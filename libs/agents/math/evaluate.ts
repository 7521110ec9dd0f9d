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
import { noRealValue, notMath, NotSolved, tooLarge } from './not-solved.js';
import {
  add,
  approximate,
  divide,
  exact,
  isExact,
  isZero,
  modulo,
  multiply,
  nearly,
  negate,
  power,
  subtract,
  wholeOf,
  type Quantity,
} from './quantity.js';

type Operation = (...args: readonly Quantity[]) => Quantity;

const MAX_FACTORIAL = 400;

const CONSTANTS: Readonly<Record<string, number>> = {
  pi: Math.PI,
  e: Math.E,
  tau: 2 * Math.PI,
  phi: (1 + Math.sqrt(5)) / 2,
};

function factorial(of: Quantity): Quantity {
  const whole = wholeOf(of);
  if (whole === undefined || whole < 0)
    throw new NotSolved('Only whole numbers from 0 have a factorial.', true);
  if (whole > MAX_FACTORIAL) throw tooLarge();
  let product: Quantity = exact(1);
  for (let factor = 2; factor <= whole; factor += 1) product = multiply(product, exact(factor));
  return product;
}

function logarithm(of: Quantity, base?: Quantity): Quantity {
  const isBase = base === undefined || (approximate(base) > 0 && approximate(base) !== 1);
  if (approximate(of) <= 0 || !isBase) throw noRealValue();
  const natural = Math.log(approximate(of));
  if (base === undefined) return natural === 0 ? exact(0) : natural;
  const whole = Math.round(natural / Math.log(approximate(base)));
  const isWhole = Math.abs(whole) <= 1_000 && isSame(power(base, exact(whole)), of);
  return isWhole ? exact(whole) : divide(natural, Math.log(approximate(base)));
}

const isSame = (left: Quantity, right: Quantity): boolean =>
  isExact(left) && isExact(right) && left.equals(right);

/** Returns the root of the given order (square root, cube root, …), which is exact if it is rational. */
const root = (order: number, nearest: (of: number) => number) => (of: Quantity) => {
  const exponent = math.fraction(1, order);
  const found = approximate(of) < 0 ? undefined : power(of, exponent);
  return found !== undefined && isExact(found) ? found : nearly(nearest)(of);
};

const rounding =
  (exactly: (of: Fraction) => Fraction, near: (of: number) => number) => (of: Quantity) =>
    isExact(of) ? exactly(of) : exact(near(of));

function rounded(of: Quantity, places: Quantity = exact(0)): Quantity {
  const digits = wholeOf(places);
  if (digits === undefined || digits < 0 || digits > 15) throw notMath();
  return (isExact(of) ? of : exact(of)).round(digits);
}

const wholes =
  (operation: (left: Fraction, right: Fraction) => Fraction): Operation =>
  (...args) =>
    args.reduce((left, right) => {
      if (wholeOf(left) === undefined || wholeOf(right) === undefined) throw notMath();
      return operation(left as Fraction, right as Fraction);
    });

const extreme =
  (keep: (candidate: number, best: number) => boolean): Operation =>
  (...args) =>
    args.reduce((best, next) => (keep(approximate(next), approximate(best)) ? next : best));

const FUNCTIONS: Readonly<Record<string, (...args: Quantity[]) => Quantity>> = {
  sqrt: root(2, Math.sqrt),
  cbrt: root(3, Math.cbrt),
  abs: (of) => (approximate(of) < 0 ? negate(of) : of),
  sign: (of) => exact(Math.sign(approximate(of))),
  exp: nearly(Math.exp),
  log: logarithm,
  log10: (of) => logarithm(of, exact(10)),
  log2: (of) => logarithm(of, exact(2)),
  sin: nearly(Math.sin),
  cos: nearly(Math.cos),
  tan: nearly(Math.tan),
  asin: nearly(Math.asin),
  acos: nearly(Math.acos),
  atan: nearly(Math.atan),
  sinh: nearly(Math.sinh),
  cosh: nearly(Math.cosh),
  tanh: nearly(Math.tanh),
  floor: rounding((of) => of.floor(), Math.floor),
  ceil: rounding((of) => of.ceil(), Math.ceil),
  round: rounded,
  factorial,
  pow: power,
  mod: modulo,
  gcd: wholes((left, right) => left.gcd(right)),
  lcm: wholes((left, right) => (isZero(left) || isZero(right) ? exact(0) : left.lcm(right))),
  min: extreme((candidate, best) => candidate < best),
  max: extreme((candidate, best) => candidate > best),
};

const OPERATORS: Readonly<Record<string, (...args: Quantity[]) => Quantity>> = {
  add,
  subtract,
  multiply,
  divide,
  pow: power,
  mod: modulo,
  factorial,
  unaryMinus: negate,
  unaryPlus: (of) => of,
};

/**
 * Returns the value of a formula without variables. The value is exact as long as fractions suffice;
 * each step limits their size. @throws NotSolved if the formula has no value or the value is too large.
 */
export function evaluate(node: MathNode): Quantity {
  switch (node.type) {
    case 'ParenthesisNode':
      return evaluate((node as ParenthesisNode).content);
    case 'ConstantNode':
      return add(constant((node as ConstantNode).value), exact(0));
    case 'SymbolNode':
      return CONSTANTS[(node as SymbolNode).name] ?? unknown();
    case 'OperatorNode': {
      const { fn, args } = node as OperatorNode;
      return (OPERATORS[fn] ?? unknown())(...args.map(evaluate));
    }
    case 'FunctionNode': {
      const { fn, args } = node as FunctionNode;
      return (FUNCTIONS[fn.name] ?? unknown())(...args.map(evaluate));
    }
    default:
      return unknown();
  }
}

const unknown = (): never => {
  throw notMath();
};

/**
 * The parser turns a percentage into a division by 100. It returns this 100 as a number, and every other
 * constant as a fraction.
 */
const constant = (value: unknown): Quantity =>
  typeof value === 'number' ? exact(value) : (value as Fraction);
