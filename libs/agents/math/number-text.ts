import type { Fraction } from 'mathjs';
import { isExact, type Quantity } from './quantity.js';

const DIGITS = 12;
const NEGLIGIBLE = 1e-14;

const power10 = (of: number): bigint => 10n ** BigInt(of);

/** Returns the number of decimal places of a fraction with a finite decimal form, up to DIGITS. */
function endingPlaces({ d }: Fraction): number | undefined {
  for (let places = 0; places <= DIGITS; places += 1) if (power10(places) % d === 0n) return places;
  return undefined;
}

function decimalText({ s, n, d }: Fraction, places: number): string {
  const digits = ((n * power10(places)) / d).toString().padStart(places + 1, '0');
  const whole = digits.slice(0, digits.length - places);
  const sign = s < 0n ? '-' : '';
  return places === 0 ? `${sign}${whole}` : `${sign}${whole}.${digits.slice(-places)}`;
}

const doubleText = (of: number): string =>
  String(Math.abs(of) < NEGLIGIBLE ? 0 : Number(of.toPrecision(DIGITS)));

/** Formats a number: as an integer or decimal if that is exact, else as a fraction or with 12 digits. */
export function numberText(of: Quantity): string {
  if (!isExact(of)) return doubleText(of);
  const places = endingPlaces(of);
  return places === undefined ? of.toFraction() : decimalText(of, places);
}

/** `= 4`, `≈ 1.41421356237`, or `= 1/3 ≈ 0.333333333333`. */
export function equalsText(of: Quantity): string {
  if (!isExact(of)) return `≈ ${doubleText(of)}`;
  const text = `= ${numberText(of)}`;
  return endingPlaces(of) === undefined ? `${text} ≈ ${doubleText(of.valueOf())}` : text;
}
