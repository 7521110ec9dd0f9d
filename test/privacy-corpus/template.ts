import { FINDING_TYPES, type FindingType, type PathStep } from '#domain/privacy/finding.js';
import type { Json, JsonObject } from '#domain/json.js';
import { DISGUISES } from './disguise.js';
import { dateOfBirth, email, phone, streetAddress } from './generators/contact.js';
import { FILLERS } from './generators/fillers.js';
import { nationalId, passport, usSsn } from './generators/identity.js';
import { ipAddress, macAddress } from './generators/network.js';
import { iban, paymentCard } from './generators/payment.js';
import { apiKey, jwt, password, privateKey, token } from './generators/secrets.js';
import type { Generator } from './generators/slot.js';
import type { Random } from './random.js';

/** A text or JSON value with slots, as the YAML files in `held` and `train` have it (see README.md). */
export interface Template {
  readonly id: string;
  readonly language: string;
  readonly region: string;
  /** The name of the field that holds the value, if the text stands in a field. */
  readonly label?: string;
  readonly value: Json;
}

/** A place of personal data. Its path is like that of a finding. */
export interface LabelledSpan {
  readonly type: FindingType;
  readonly path: readonly PathStep[];
  readonly in_key: boolean;
  /**
   * UTF-16 offsets in the string at the path, end exclusive. For a number, they are offsets in its JSON
   * text.
   */
  readonly start: number;
  readonly end: number;
  /** The value before a disguise hid it. */
  readonly plain: string;
  /** The name of the disguise, if the slot has one. */
  readonly disguise?: string;
}

export interface Filled {
  readonly value: Json;
  readonly spans: readonly LabelledSpan[];
}

export const GENERATORS: Readonly<Record<FindingType, Generator>> = {
  email,
  phone,
  payment_card: paymentCard,
  iban,
  us_ssn: usSsn,
  national_id: nationalId,
  ip_address: ipAddress,
  mac_address: macAddress,
  date_of_birth: dateOfBirth,
  street_address: streetAddress,
  passport,
  private_key: privateKey,
  jwt,
  api_key: apiKey,
  token,
  password,
};

const SLOT =
  /\{(?<filler>~?)(?<name>[a-z][a-z0-9_]*)(?::(?<options>[^{}|]*))?(?:\|(?<disguise>[a-z0-9]+)(?: (?<argument>[^{}]*))?)?\}/g;
/** A text that is only a slot after `#` becomes a JSON number. */
const NUMBER = /^#(?=\{[^{}]*\}$)/;

const isRegion = (option: string): boolean => /^[A-Z]{2}$/.test(option);
const isFindingType = (name: string): name is FindingType =>
  (FINDING_TYPES as readonly string[]).includes(name);

type TextSpan = Omit<LabelledSpan, 'path' | 'in_key'>;

/** Fills the slots of a template and labels what the slots of finding types produced. */
export function fill(template: Template, random: Random): Filled {
  const spans: LabelledSpan[] = [];

  const fillText = (text: string): { readonly text: string; readonly found: TextSpan[] } => {
    const found: TextSpan[] = [];
    let filled = '';
    let last = 0;
    for (const slot of text.matchAll(SLOT)) {
      filled += text.slice(last, slot.index);
      last = slot.index + slot[0].length;
      const { filler, name = '', options = '', disguise, argument = '' } = slot.groups!;
      const words = options.split(' ').filter((word) => word !== '');
      const form = {
        region: words.find(isRegion) ?? template.region,
        language: template.language,
        options: words.filter((word) => !isRegion(word)),
      };
      const generator = filler ? FILLERS[name] : isFindingType(name) ? GENERATORS[name] : undefined;
      if (generator === undefined)
        throw new Error(`${template.id} has an unknown slot: ${slot[0]}`);
      const plain = generator(random, form);
      const shown = disguise === undefined ? plain : disguised(disguise, plain, random, argument);
      const start = filled.length;
      filled += shown;
      if (isFindingType(name) && !filler)
        found.push({
          type: name,
          start,
          end: filled.length,
          plain,
          ...(disguise === undefined ? {} : { disguise }),
        });
    }
    return { text: filled + text.slice(last), found };
  };

  const label = (found: readonly TextSpan[], path: readonly PathStep[], in_key: boolean): void => {
    spans.push(...found.map((span) => ({ ...span, path, in_key })));
  };

  const fillObject = (object: JsonObject, path: readonly PathStep[]): JsonObject => {
    const entries = Object.entries(object).map(([key, value]) => ({ key: fillText(key), value }));
    const sorted = entries.map(({ key }) => key.text).sort();
    return Object.fromEntries(
      entries.map(({ key, value }) => {
        const hasFound = key.found.length > 0;
        const inside = [...path, hasFound ? sorted.indexOf(key.text) : key.text];
        label(key.found, inside, true);
        return [key.text, fillValue(value, inside)];
      }),
    );
  };

  const fillValue = (value: Json, path: readonly PathStep[]): Json => {
    if (typeof value === 'string') {
      const { text, found } = NUMBER.test(value)
        ? filledNumber(() => fillText(value.slice(1)))
        : fillText(value);
      label(found, path, false);
      return NUMBER.test(value) ? Number(text) : text;
    }
    if (Array.isArray(value)) {
      const list = value as readonly Json[];
      return list.map((item, index) => fillValue(item, [...path, index]));
    }
    if (value !== null && typeof value === 'object') return fillObject(value as JsonObject, path);
    return value;
  };

  return { value: fillValue(template.value, []), spans };
}

function disguised(name: string, plain: string, random: Random, argument: string): string {
  const disguise = DISGUISES[name];
  if (disguise === undefined) throw new Error(`Unknown disguise: ${name}`);
  return disguise(plain, random, argument);
}

/** Draws until a number has the same digits as JSON: no leading zero, and exact. */
function filledNumber<T extends { readonly text: string }>(draw: () => T): T {
  for (let tries = 0; tries < 1000; tries++) {
    const drawn = draw();
    if (String(Number(drawn.text)) === drawn.text) return drawn;
  }
  throw new Error('The slot of a number fills only texts that are no numbers.');
}
