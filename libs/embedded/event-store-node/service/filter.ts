import { RE2JS } from 're2js';
import { invalid } from '../protocol/status.js';
import { nameIn, typeIn } from '../storage/record.js';

export interface ReadFilter {
  readonly on: 'stream' | 'type';
  readonly regex: string;
  /** The prefixes of a filter. Each character is one byte. */
  readonly prefixes: readonly string[];
  /** The number of scanned events after which a checkpoint is sent. */
  readonly checkpointInterval: number;
}

/** These two limits bound the time that one filter takes for one event. */
const MAX_REGEX = 1_024;
const MAX_INSTRUCTIONS = 2_000;

/**
 * The expressions by which clients leave out system events. Nearly every subscription has one of them, so
 * the node answers them from the first byte.
 */
const NO_SYSTEM_EVENTS: readonly string[] = ['^[^$].*', '^[^\\$].*'];
const DOLLAR = 0x24;

export function matcherOf({ on, regex, prefixes }: ReadFilter): (record: Buffer) => boolean {
  const textIn = on === 'stream' ? nameIn : typeIn;
  if (prefixes.length > 0) {
    return (record) => {
      const text = textIn(record).toString('latin1');
      return prefixes.some((prefix) => text.startsWith(prefix));
    };
  }
  if (NO_SYSTEM_EVENTS.includes(regex)) return (record) => textIn(record)[0] !== DOLLAR;
  const pattern = compile(regex);
  return (record) => pattern.test(textIn(record).toString('utf8'));
}

/**
 * Compiles a client's expression for matching in linear time, since a backtracking matcher may take
 * exponential time and would block all clients.
 */
function compile(regex: string): RE2JS {
  if (regex.length > MAX_REGEX) {
    throw invalid(`The regular expression of a filter may have ${MAX_REGEX} characters`);
  }
  let pattern: RE2JS;
  try {
    pattern = RE2JS.compile(regex);
  } catch (error) {
    throw invalid(`The filter has an invalid regular expression: ${(error as Error).message}`);
  }
  if (pattern.programSize() > MAX_INSTRUCTIONS) {
    throw invalid('The regular expression of the filter repeats too much');
  }
  return pattern;
}
