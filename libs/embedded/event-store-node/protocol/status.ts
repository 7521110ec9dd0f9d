import { UnreadableFrame } from '#event-store-protocol/frames.js';
import { MalformedMessage } from '#event-store-protocol/protobuf.js';

/** The gRPC status codes that this node returns. */
export const Status = {
  ok: 0,
  cancelled: 1,
  unknown: 2,
  invalidArgument: 3,
  deadlineExceeded: 4,
  resourceExhausted: 8,
  failedPrecondition: 9,
  unimplemented: 12,
  internal: 13,
  unavailable: 14,
  dataLoss: 15,
  unauthenticated: 16,
} as const;

export type StatusCode = (typeof Status)[keyof typeof Status];

/** An error answer: a status, and the trailers from which the client builds its own error. */
export class Refused extends Error {
  override readonly name = 'Refused';
  constructor(
    readonly code: StatusCode,
    message: string,
    readonly trailers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }
}

export const unimplemented = (feature: string): Refused =>
  new Refused(Status.unimplemented, `${feature} is not implemented by the embedded event store`);

export const invalid = (problem: string): Refused => new Refused(Status.invalidArgument, problem);

/** Returns the refusal that answers a request after an error in its handling. */
export function refusalOf(error: unknown): Refused {
  if (error instanceof Refused) return error;
  if (error instanceof MalformedMessage) {
    return invalid(`The message could not be read: ${error.message}`);
  }
  if (error instanceof UnreadableFrame) {
    return error.reason === 'compressed'
      ? unimplemented('A compressed message')
      : new Refused(Status.resourceExhausted, 'The message is too long');
  }
  return new Refused(Status.internal, error instanceof Error ? error.message : String(error));
}
