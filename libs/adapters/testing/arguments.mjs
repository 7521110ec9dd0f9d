/** Values that are no sensible argument of any method; some methods accept some of them. */
const SURPRISES = [
  undefined,
  null,
  '',
  '\u0000',
  '\ud800',
  -1.5,
  NaN,
  {},
  ['a'],
  [null],
  Symbol('a'),
  1n,
];

/** The names of errors of the language: they name no argument. */
const RAW = /^(?:Type|Range|Reference|Syntax|URI|DataClone)Error$/;

const isObject = (value) =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/** Yields the arguments of a call with a surprise in place of one of them, or of a field of one, and its name. */
function* surprised(given, name = '') {
  if (name !== '') for (const value of SURPRISES) yield { name, value };
  if (Array.isArray(given))
    for (const [place, one] of given.entries())
      for (const { name: field, value } of surprised(one, name === '' ? `argument ${place}` : name))
        yield { name: field, value: given.with(place, value) };
  if (isObject(given))
    for (const [field, one] of Object.entries(given))
      for (const { name: below, value } of surprised(one, field))
        yield { name: below, value: { ...given, [field]: value } };
}

const shown = (value) => {
  try {
    return JSON.stringify(value, (_, one) =>
      one === undefined || typeof one === 'bigint' || typeof one === 'symbol' || one !== one
        ? `<${String(one)}>`
        : one,
    );
  } catch (error) {
    return String(error);
  }
};

/**
 * Calls a method with each surprise in place of each argument and of each field of one. Returns the calls that failed
 * with an error that does not name the argument, or after something was written.
 * @param whole the arguments of a call that succeeds
 * @param call makes a call; resolves when it is over
 * @param position the position of the last write
 */
export async function badCalls({ whole, call, position }) {
  const bad = [];
  for (const { name, value } of surprised(whole)) {
    const before = position();
    try {
      await call(...value);
    } catch (error) {
      const isRaw = !(error instanceof Error) || RAW.test(error.name);
      const isNamed =
        !isRaw &&
        (error.name !== 'Error' || error.message.includes(name) || name.startsWith('argument'));
      const isWhole = position() === before;
      if (!isNamed || !isWhole)
        bad.push(`${name} in ${shown(value)}: ${isWhole ? '' : 'wrote; '}${String(error)}`);
    }
  }
  return bad;
}
