import type { Fraction } from 'mathjs';
import { math } from './expression.js';
import { dividedByZero, noRealValue, tooLarge } from './not-solved.js';

/** An exact fraction, or a double if the value cannot be kept exact. */
export type Quantity = Fraction | number;

const MAX_BITS = 4_096;
/**
 * The largest number of which a root is computed. To compute a root, fraction.js factors numerator and
 * denominator, which is cheap only for small numbers.
 */
const MAX_ROOT_OF = 1_000_000_000_000n;

export const isExact = (of: Quantity): of is Fraction => typeof of !== 'number';
export const approximate = (of: Quantity): number => (isExact(of) ? of.valueOf() : of);
export const exact = (of: number): Fraction => math.fraction(of);
export const isZero = (of: Quantity): boolean => (isExact(of) ? of.n === 0n : of === 0);
/** Returns the integer; undefined if the quantity is not an integer that a double holds exactly. */
export const wholeOf = (of: Quantity): number | undefined => {
  if (!isExact(of) || of.d !== 1n || of.n > 9_007_199_254_740_991n) return undefined;
  return Number(of.s * of.n);
};

const bits = (of: bigint): number => of.toString(2).length;
/** Returns the size in bits of the numerator or of the denominator, whichever is larger. */
export const sizeOf = (of: Fraction): number => Math.max(bits(of.n), bits(of.d));

/** Returns the quantity if it is finite and small enough; throws otherwise. */
function checked(of: Quantity): Quantity {
  if (isExact(of)) {
    if (sizeOf(of) > MAX_BITS) throw tooLarge();
    return of;
  }
  if (Number.isNaN(of)) throw noRealValue();
  if (!Number.isFinite(of)) throw tooLarge();
  return of;
}

type Exactly = (left: Fraction, right: Fraction) => Fraction;
type Nearly = (left: number, right: number) => number;

const combine =
  (exactly: Exactly, nearly: Nearly) =>
  (left: Quantity, right: Quantity): Quantity =>
    checked(
      isExact(left) && isExact(right)
        ? exactly(left, right)
        : nearly(approximate(left), approximate(right)),
    );

const sharing = (operation: (left: Quantity, right: Quantity) => Quantity) => {
  return (left: Quantity, right: Quantity): Quantity => {
    if (isZero(right)) throw dividedByZero();
    return operation(left, right);
  };
};

export const add = combine(
  (left, right) => left.add(right),
  (left, right) => left + right,
);
export const subtract = combine(
  (left, right) => left.sub(right),
  (left, right) => left - right,
);
export const multiply = combine(
  (left, right) => left.mul(right),
  (left, right) => left * right,
);
export const divide = sharing(
  combine(
    (left, right) => left.div(right),
    (left, right) => left / right,
  ),
);
/** Returns the remainder, with the sign of the divisor, as in mathematics. */
export const modulo = sharing(
  combine(
    (left, right) => left.sub(right.mul(left.div(right).floor())),
    (left, right) => left - right * Math.floor(left / right),
  ),
);
export const negate = (of: Quantity): Quantity => (isExact(of) ? of.neg() : -of);

export function power(base: Quantity, exponent: Quantity): Quantity {
  if (isZero(base) && approximate(exponent) < 0) throw dividedByZero();
  const exactly = isExact(base) && isExact(exponent) ? exactPower(base, exponent) : undefined;
  const value = exactly ?? approximate(base) ** approximate(exponent);
  if (value === 0 && !isZero(base)) throw tooLarge();
  return checked(value);
}

function exactPower(base: Fraction, exponent: Fraction): Fraction | undefined {
  const whole = wholeOf(exponent);
  if (whole !== undefined && Math.abs(whole) * sizeOf(base) <= MAX_BITS) return base.pow(exponent);
  if (whole !== undefined || base.n > MAX_ROOT_OF || base.d > MAX_ROOT_OF) return undefined;
  if (exponent.n > 100n || exponent.d > 10n) return undefined;
  if (base.s < 0n) return undefined;
  return base.pow(exponent) ?? undefined;
}

/** Makes a function of quantities from a function of doubles. */
export const nearly =
  (of: (value: number) => number) =>
  (value: Quantity): Quantity =>
    checked(of(approximate(value)));
