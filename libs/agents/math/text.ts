import type { ConstantNode, Fraction, FunctionNode, MathNode } from 'mathjs';
import type { Polynomial } from './polynomial.js';
import { apply, approximate, isExact, isZero, type Quantity } from './quantity.js';

const DIGITS = 12;
const NEGLIGIBLE = 1e-14;

/** Returns a fraction as a decimal; undefined if it has none of up to DIGITS places. */
function decimalText({ s, n, d }: Fraction): string | undefined {
  const sign = s < 0n ? '-' : '';
  for (let places = 0; places <= DIGITS; places += 1) {
    if (10n ** BigInt(places) % d !== 0n) continue;
    const digits = ((n * 10n ** BigInt(places)) / d).toString().padStart(places + 1, '0');
    const whole = digits.slice(0, digits.length - places);
    return places === 0 ? `${sign}${whole}` : `${sign}${whole}.${digits.slice(-places)}`;
  }
  return undefined;
}

const doubleText = (of: number): string =>
  String(Math.abs(of) < NEGLIGIBLE ? 0 : Number(of.toPrecision(DIGITS)));

/** Formats a number: as an integer or decimal if that is exact, else as a fraction or with 12 digits. */
export const numberText = (of: Quantity): string =>
  isExact(of) ? (decimalText(of) ?? of.toFraction()) : doubleText(of);

/** `= 4`, `≈ 1.41421356237`, or `= 1/3 ≈ 0.333333333333`. */
export function equalsText(of: Quantity): string {
  if (!isExact(of)) return `≈ ${doubleText(of)}`;
  const decimal = decimalText(of);
  return decimal === undefined
    ? `= ${of.toFraction()} ≈ ${doubleText(approximate(of))}`
    : `= ${decimal}`;
}

/** Formats numbers for people; the natural logarithm is written `ln`. */
function handler(node: MathNode, options: object): string | undefined {
  if (node.type === 'ConstantNode') {
    const text = numberText((node as ConstantNode).value);
    return text.includes('/') ? `(${text})` : text;
  }
  if (node.type !== 'FunctionNode') return undefined;
  const { fn, args } = node as FunctionNode;
  if (fn.name !== 'log' || args.length !== 1) return undefined;
  return `ln(${args.map((arg) => arg.toString(options)).join('')})`;
}

/** Returns a formula as text. */
export const written = (node: MathNode): string =>
  node.toString({ parenthesis: 'auto', implicit: 'show', handler }).replaceAll(' ^ ', '^');

/** Formats one term without its sign: `3 * x^2`, `x / 2`, `4 * x^3 / 3`. */
function termText(coefficient: Quantity, variable: string, power: number): string {
  if (power === 0) return numberText(coefficient);
  const factor = power === 1 ? variable : `${variable}^${power}`;
  const [above, below] = isExact(coefficient)
    ? [coefficient.n.toString(), coefficient.d.toString()]
    : [numberText(coefficient), '1'];
  const product = above === '1' ? factor : `${above} * ${factor}`;
  return below === '1' ? product : `${product} / ${below}`;
}

/** Formats a polynomial, highest power first. */
export function polynomialText(of: Polynomial, variable: string): string {
  let text = '';
  for (const [power, coefficient] of [...of.entries()].reverse()) {
    if (isZero(coefficient)) continue;
    const isNegative = approximate(coefficient) < 0;
    const term = termText(apply('abs', coefficient), variable, power);
    if (text === '') text = isNegative ? `-${term}` : term;
    else text += isNegative ? ` - ${term}` : ` + ${term}`;
  }
  return text === '' ? '0' : text;
}
