import { Refused, Status } from '../protocol/status.js';

/** The exit code of a process that found damage it cannot mend. */
export const DAMAGED = 3;

/** Thrown if the files of a store are damaged in a way that a start cannot mend. */
export class DamagedStore extends Error {
  override readonly name = 'DamagedStore';
  constructor(
    readonly folder: string,
    /** A sentence that names the file, and the positions if they are known. */
    readonly finding: string,
    /** False if nothing shows which of the store's events are whole. */
    hasChecksums = true,
  ) {
    const copy =
      `, or copy the events that are whole: run "npm run event-store -- --data-dir ${folder} --skip-damaged", ` +
      'and, while it runs, "mace copy-log --skip-damaged" to an empty event store.';
    super(
      `${finding} Nothing was changed. Restore ${folder} from a backup${hasChecksums ? copy : '.'}`,
    );
  }
}

export const positions = (from: number, to: number): string =>
  from === to ? `the event at position ${from}` : `the events at positions ${from} to ${to}`;

/** Makes the refusal of a read of one event. The client recognises the position by the trailers. */
export const eventLoss = (
  finding: string,
  position: number,
  place?: { readonly stream: string; readonly number: number },
): Refused =>
  dataLoss(finding, {
    exception: 'damaged-event',
    position: String(position),
    ...(place && { 'stream-name': place.stream, 'event-number': String(place.number) }),
  });

/** Makes the refusal of a call that needs something that is damaged. Other calls are not affected. */
export const dataLoss = (
  finding: string,
  trailers: Readonly<Record<string, string>> = {},
): Refused => new Refused(Status.dataLoss, finding, trailers);
