import type { Schemas } from './schemas.js';

/** The body of every error of the service. */
export type ErrorEnvelope = Schemas['ErrorEnvelopeDto'] & {
  /** Further fields that some codes have, such as the result of SEM_NOT_FOUND. */
  readonly result?: unknown;
};

/** How a refused request can be put right. */
export type ErrorHelp = Schemas['ErrorHelpDto'];

/** The stable codes of the service's errors. */
export type ErrorCode = ErrorEnvelope['error_code'];

/** An error that the service returned. `message` is the developer_message. */
export class MaceError extends Error {
  override readonly name = 'MaceError';
  /** The stable code, for example `VERSION_CONFLICT`. Programs should compare this field. */
  readonly code: ErrorCode;
  /** The HTTP status. */
  readonly status: number;
  readonly severity: ErrorEnvelope['severity'];
  readonly userMessage: string;
  readonly developerMessage: string;
  readonly traceId: string;
  /** The index of the command of a batch that was refused; undefined if the whole request was refused. */
  readonly commandIndex: number | undefined;
  /** How the request can be put right; undefined if the service has nothing to teach. */
  readonly help: ErrorHelp | undefined;

  constructor(
    readonly envelope: ErrorEnvelope,
    /** The time in ms after which the service accepts the request, if it has said so. */
    readonly retryAfterMs?: number,
  ) {
    super(envelope.developer_message);
    this.code = envelope.error_code;
    this.status = envelope.status;
    this.severity = envelope.severity;
    this.userMessage = envelope.user_message;
    this.developerMessage = envelope.developer_message;
    this.traceId = envelope.meta.trace_id;
    this.commandIndex = envelope.command_index;
    this.help = envelope.meta.help;
  }
}

/** Returns a wrong field as a line. */
const fieldLine = ({ field, problem, nearest, place }: NonNullable<ErrorHelp['fields']>[number]) =>
  [
    `${field} ${problem}`,
    ...(nearest === undefined ? [] : [`did you mean ${nearest}?`]),
    ...(place === undefined ? [] : [`it belongs to the ${place}`]),
  ].join('; ');

/** Returns what an error teaches beyond its message, as lines for a terminal, a log or a language model. */
export function helpLines({
  developerMessage,
  help: { fields = [], roles = [], instead } = {},
}: Pick<MaceError, 'developerMessage' | 'help'>): readonly string[] {
  return [
    ...fields
      .map(fieldLine)
      .filter((line) => !developerMessage.includes(line))
      .map((line) => `- ${line}`),
    ...(roles.length === 0 ? [] : [`Allowed for: ${roles.join(', ')}`]),
    ...(instead === undefined ? [] : [`Instead: ${instead}`]),
  ];
}

/**
 * True for an error that the service returned, with one of the codes if any are given. TypeScript then knows
 * the code. It also recognises errors of another copy of this package.
 */
export function isMaceError<Code extends ErrorCode = ErrorCode>(
  error: unknown,
  ...codes: readonly Code[]
): error is MaceError & { readonly code: Code } {
  if (!(error instanceof Error) || error.name !== 'MaceError') return false;
  return codes.length === 0 || codes.some((code) => code === (error as MaceError).code);
}

/**
 * Thrown if no usable answer came after all retries: the service or the network is down, or another
 * server answered. A write may or may not have happened. To make sure, send it again with the same
 * Idempotency-Key (`idempotencyKey`); this never writes twice.
 */
export class MaceUnreachable extends Error {
  override readonly name = 'MaceUnreachable';
  constructor(
    readonly url: string,
    readonly idempotencyKey: string | undefined,
    reason: string,
    options?: ErrorOptions,
  ) {
    super(`${url} cannot be reached: ${reason}`, options);
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** True if an answer's body is an error of the service, and not, for example, a proxy's page. */
export const isEnvelope = (body: unknown): body is ErrorEnvelope =>
  isObject(body) &&
  typeof body['error_code'] === 'string' &&
  typeof body['status'] === 'number' &&
  typeof body['developer_message'] === 'string' &&
  isObject(body['meta']);
