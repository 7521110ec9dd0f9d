import { type EventLog } from '../storage/event-log.js';
import { recordedDataIn, typeIn } from '../storage/record.js';
import { problemOfStreamName } from './requests.js';

/** The type of an event whose data, such as `7@order-1`, names another event. */
const LINK_TYPE = Buffer.from('$>');
const TARGET = /^(\d{1,15})@(.+)$/s;

export const isLink = (record: Buffer): boolean => typeIn(record).equals(LINK_TYPE);

/**
 * Returns the event that a link names; undefined if the link is malformed, or if a read of the event's
 * stream would not return the event. As in EventStoreDB, a link to a link is not followed.
 */
export function linkedRecord(log: EventLog, link: Buffer): Buffer | undefined {
  const [, digits, name] = TARGET.exec(recordedDataIn(link).toString('latin1')) ?? [];
  if (digits === undefined || name === undefined) return undefined;
  if (problemOfStreamName(name) !== undefined || log.isTombstoned(name)) return undefined;
  const state = log.stream(name);
  const last = state ? log.lastNumber(state) : -1;
  const number = Number(digits);
  if (!state || number > last || number < log.firstNumber(state, last)) return undefined;
  return log.recordOf(state, number);
}
