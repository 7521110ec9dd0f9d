const digitsOf = (text: string): readonly number[] => [...text].map(Number);

/** Returns the sum of each digit times the weight at its place; the weights repeat. */
export function weighted(text: string, weights: readonly number[]): number {
  return digitsOf(text).reduce(
    (sum, digit, place) => sum + digit * weights[place % weights.length]!,
    0,
  );
}

/** Returns the digit that completes a number for Luhn's check. */
export function luhnDigit(text: string): number {
  const sum = digitsOf(text)
    .toReversed()
    .map((digit, place) => (place % 2 === 0 ? digit * 2 : digit))
    .reduce((total, digit) => total + (digit > 9 ? digit - 9 : digit), 0);
  return (10 - (sum % 10)) % 10;
}

/** Returns the check digit of ISO 7064 MOD 11,10 (the German tax number). */
export function mod1110Digit(text: string): number {
  const product = digitsOf(text).reduce((last, digit) => {
    const sum = (digit + last) % 10 || 10;
    return (sum * 2) % 11;
  }, 10);
  return (11 - product) % 10;
}

/** The tables of the dihedral group D5 for Verhoeff's check (the Indian Aadhaar number). */
const PRODUCT = [
  '0123456789',
  '1234067895',
  '2340178956',
  '3401289567',
  '4012395678',
  '5987604321',
  '6598710432',
  '7659821043',
  '8765932104',
  '9876543210',
].map(digitsOf);
const INVERSE = digitsOf('0432156789');
const PERMUTATION = digitsOf('1576283094');

export function verhoeffDigit(text: string): number {
  const check = digitsOf(text)
    .toReversed()
    .reduce((last, digit, place) => {
      let permuted = digit;
      for (let round = 0; round <= place; round++) permuted = PERMUTATION[permuted]!;
      return PRODUCT[last]![permuted]!;
    }, 0);
  return INVERSE[check]!;
}
