import { parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js';
import metadata from 'libphonenumber-js/min/metadata';
import { digitsOf } from '../recogniser.js';

/** The parts of a numbering plan in the library's data, by their index. */
const PLAN = { pattern: 2, formats: 4, prefixRule: 6, types: 11 } as const;
const FORMAT = { pattern: 0, form: 1, leadingDigits: 2, prefixRule: 3 } as const;
type Plan = readonly unknown[];

/** A way to write a number in its country: the digits before it, and which numbers are written so. */
interface Written {
  readonly prefix: string;
  readonly numbers: RegExp;
}

interface Country {
  readonly valid: RegExp;
  /**
   * By the digits that are written before a number, the numbers that are written so. Undefined if the country writes
   * the digits in another order, or further digits between them.
   */
  readonly forms: ReadonlyMap<string, readonly RegExp[]> | undefined;
}

const PLANS = metadata.countries as Readonly<Record<string, Plan>>;

const either = (patterns: readonly string[]): string => [...new Set(patterns)].join('|');

const whole = (pattern: string, leadingDigits = ''): RegExp =>
  new RegExp(`^(?=${leadingDigits})(?:${pattern})$`);

/** True if the groups of a number are written in their order, with nothing but signs between them. */
const isInOrder = (pattern: string, form: string): boolean => {
  const groups = [...form.matchAll(/\$(\d)/g)].map(([, group]) => Number(group));
  return (
    groups.every((group, index) => group === index + 1) &&
    groups.length === (pattern.match(/\(/g) ?? []).length &&
    !/\d/.test(form.replace(/\$\d/g, ''))
  );
};

/** Returns a pattern of the numbers of any type, such as mobile numbers; '' if the plan has no types. */
function typesOf(plan: Plan): string {
  const types = (plan[PLAN.types] || []) as readonly (
    readonly [pattern?: string] | 0 | undefined
  )[];
  const patterns = types.map((type) => (type ? (type[0] ?? '') : '')).filter((one) => one !== '');
  return patterns.length === 0 ? '' : `(?:${either(patterns)})$`;
}

/** True if a rule, such as `(0$1)`, only writes digits before the first group. */
const isBeforeNumber = (rule: string): boolean => {
  const [, after, ...more] = rule.split('$');
  return after?.startsWith('1') === true && more.length === 0 && digitsOf(after) === '1';
};

function writtenAs(format: Plan, ruleOfCountry: unknown): Written | undefined {
  const pattern = format[FORMAT.pattern] as string;
  const rule = (format[FORMAT.prefixRule] || ruleOfCountry || '$1') as string;
  if (!isInOrder(pattern, format[FORMAT.form] as string) || !isBeforeNumber(rule)) return undefined;
  const leading = (format[FORMAT.leadingDigits] as readonly string[] | 0 | undefined) || [];
  const last = leading.at(-1);
  return {
    prefix: digitsOf(rule.replace('$1', '')),
    numbers: whole(pattern, last === undefined ? '' : `(?:${last})`),
  };
}

/** Countries with one calling code share the formats and the rule of the first of them. */
function countryOf(plan: Plan, main: Plan): Country {
  const rule = plan[PLAN.prefixRule] || main[PLAN.prefixRule];
  const formats = (plan[PLAN.formats] || main[PLAN.formats] || []) as readonly Plan[];
  const forms = formats.map((format) => writtenAs(format, rule));
  return {
    valid: whole(plan[PLAN.pattern] as string, typesOf(plan)),
    forms: forms.every((form) => form !== undefined) ? byPrefix(forms) : undefined,
  };
}

function byPrefix(forms: readonly Written[]): ReadonlyMap<string, readonly RegExp[]> {
  const numbers = new Map<string, RegExp[]>();
  for (const form of forms)
    numbers.set(form.prefix, [...(numbers.get(form.prefix) ?? []), form.numbers]);
  return numbers;
}

/** The countries whose numbers a caller in a region dials without a country code. */
interface Reach {
  readonly countries: readonly Country[];
  /** Matches the numbers of all of them, with and without the digits before a number, and perhaps others. */
  readonly any: RegExp;
}

function reachOf(plans: readonly Plan[]): Reach {
  const countries = plans.map((plan) => countryOf(plan, plans[0] ?? plan));
  if (countries.some(({ forms }) => forms === undefined)) return { countries, any: /^/ };
  const prefixes = countries.flatMap(({ forms }) => [...(forms?.keys() ?? [])]);
  const patterns = plans.map((plan) => plan[PLAN.pattern] as string);
  return { countries, any: whole(`(?:${either(prefixes)})?(?:${either(patterns)})`) };
}

const REACH: ReadonlyMap<string, Reach> = new Map(
  Object.values(
    metadata.country_calling_codes as Readonly<Record<string, readonly string[]>>,
  ).flatMap((codes) => {
    const plans = codes.map((code) => PLANS[code]).filter((plan) => plan !== undefined);
    const reach = reachOf(plans);
    return codes.map((code) => [code, reach] as const);
  }),
);

/**
 * False for most digits that `nationalForm` rejects. It answers about fifty times as fast, because a hostile text can
 * have a candidate at each digit (SPEC P2).
 */
export function canBeNational(digits: string, region: CountryCode): boolean {
  const reach = REACH.get(region);
  if (reach === undefined) return true;
  return reach.any.test(digits) && reach.countries.some((country) => isWrittenIn(country, digits));
}

function isWrittenIn({ valid, forms }: Country, digits: string): boolean {
  if (forms === undefined) return true;
  for (const [prefix, numbers] of forms) {
    const number = digits.slice(prefix.length);
    if (digits.startsWith(prefix) && valid.test(number) && matchesAny(numbers, number)) return true;
  }
  // A number that no form is for is written as its digits.
  return valid.test(digits) && ![...forms.values()].some((numbers) => matchesAny(numbers, digits));
}

const matchesAny = (patterns: readonly RegExp[], text: string): boolean =>
  patterns.some((pattern) => pattern.test(text));

/** Returns the national form of the digits if they are a whole number of the region in that form. */
export function nationalForm(digits: string, region: CountryCode): string | undefined {
  if (!canBeNational(digits, region)) return undefined;
  const number = parsePhoneNumberFromString(digits, { defaultCountry: region, extract: false });
  if (number?.isValid() !== true) return undefined;
  const form = number.formatNational();
  return digitsOf(form) === digits ? form : undefined;
}
