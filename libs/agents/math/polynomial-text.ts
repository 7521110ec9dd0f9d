import { numberText } from './number-text.js';
import type { Polynomial } from './polynomial.js';
import { approximate, isExact, isZero, negate, type Quantity } from './quantity.js';

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
    const term = termText(isNegative ? negate(coefficient) : coefficient, variable, power);
    if (text === '') text = isNegative ? `-${term}` : term;
    else text += isNegative ? ` - ${term}` : ` + ${term}`;
  }
  return text === '' ? '0' : text;
}
