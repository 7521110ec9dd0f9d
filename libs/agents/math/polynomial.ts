import type { MathNode, OperatorNode, ParenthesisNode, SymbolNode } from 'mathjs';
import { variablesOf } from './expression.js';
import { apply, approximate, evaluate, exact, isZero, type Quantity } from './quantity.js';
import { tooLarge } from './task.js';

/** The coefficients of a polynomial; the index is the power of the variable. */
export type Polynomial = readonly Quantity[];

const MAX_DEGREE = 64;
const ZERO = exact(0);

const trimmed = (coefficients: Polynomial): Polynomial => {
  const last = coefficients.findLastIndex((of) => !isZero(of));
  return coefficients.slice(0, last + 1);
};

const sum = (left: Polynomial, right: Polynomial): Polynomial =>
  trimmed(
    Array.from({ length: Math.max(left.length, right.length) }, (_, at) =>
      apply('add', left[at] ?? ZERO, right[at] ?? ZERO),
    ),
  );

function product(left: Polynomial, right: Polynomial): Polynomial {
  if (left.length + right.length > MAX_DEGREE + 2) throw tooLarge();
  const coefficients: Quantity[] = [];
  left.forEach((of, i) =>
    right.forEach((by, j) => {
      coefficients[i + j] = apply('add', coefficients[i + j] ?? ZERO, apply('multiply', of, by));
    }),
  );
  return trimmed(coefficients);
}

const negative = (of: Polynomial): Polynomial => of.map((each) => apply('unaryMinus', each));

export const difference = (left: Polynomial, right: Polynomial): Polynomial =>
  sum(left, negative(right));

/**
 * Reads a formula as a polynomial with numeric coefficients in the given variable; undefined if the
 * formula is not such a polynomial.
 */
export function polynomialOf(node: MathNode, variable: string): Polynomial | undefined {
  const variables = variablesOf(node);
  if (variables.length === 0) return trimmed([evaluate(node)]);
  if (variables.length > 1 || variables[0] !== variable) return undefined;
  if (node.type === 'SymbolNode')
    return (node as SymbolNode).name === variable ? [ZERO, exact(1)] : undefined;
  if (node.type === 'ParenthesisNode')
    return polynomialOf((node as ParenthesisNode).content, variable);
  return node.type === 'OperatorNode' ? ofOperator(node as OperatorNode, variable) : undefined;
}

function ofOperator({ fn, args }: OperatorNode, variable: string): Polynomial | undefined {
  const operands = args.map((arg) => polynomialOf(arg, variable));
  const [left, right = []] = operands;
  if (left === undefined || operands.includes(undefined)) return undefined;
  switch (fn as string) {
    case 'unaryMinus':
      return negative(left);
    case 'unaryPlus':
      return left;
    case 'add':
      return sum(left, right);
    case 'subtract':
      return difference(left, right);
    case 'multiply':
      return product(left, right);
    case 'divide':
      return right.length > 1
        ? undefined
        : left.map((each) => apply('divide', each, right[0] ?? ZERO));
    case 'pow':
      return right.length > 1 ? undefined : powerOf(left, right[0] ?? ZERO);
    default:
      return undefined;
  }
}

function powerOf(base: Polynomial, exponent: Quantity): Polynomial | undefined {
  const times = approximate(exponent);
  if (!Number.isInteger(times) || times < 0) return undefined;
  if (times > MAX_DEGREE) throw tooLarge();
  let power: Polynomial = [exact(1)];
  for (let time = 0; time < times; time += 1) power = product(power, base);
  return power;
}

export const valueAt = (of: Polynomial, place: Quantity): Quantity =>
  of.reduceRight<Quantity>(
    (value, each) => apply('add', apply('multiply', value, place), each),
    ZERO,
  );

/** Returns the antiderivative that is 0 at 0. */
export const antiderivative = (of: Polynomial): Polynomial =>
  of.length === 0
    ? []
    : [ZERO, ...of.map((each, power) => apply('divide', each, exact(power + 1)))];
