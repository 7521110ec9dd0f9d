import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { MaceArgumentError } from '#client/arguments.js';
import { type ErrorHelp, helpLines, isMaceError, MaceUnreachable } from '#client/mace-error.js';

/** The key of `_meta` that has the fields of a failed call's error. */
const ERROR_META = 'mace-memory/error';

interface Failure {
  readonly error_code: string;
  readonly user_message: string;
  readonly developer_message: string;
  readonly trace_id?: string;
  readonly help?: ErrorHelp | undefined;
}

/** Names a broken rule and its field, and no value. Another name than a field could have may be personal data. */
function problemOf(issue: z.core.$ZodIssue): string {
  const place = issue.path.length === 0 ? '' : `${issue.path.join('.')}: `;
  if (issue.code !== 'unrecognized_keys') return place + issue.message;
  const names = issue.keys.filter((key) => /^[a-z_]{1,40}$/.test(key));
  return `${place}There are unknown fields${names.length === 0 ? '' : `: ${names.join(', ')}`}.`;
}

function failureOf(error: unknown): Failure | undefined {
  if (isMaceError(error))
    return {
      error_code: error.code,
      user_message: error.userMessage,
      developer_message: error.developerMessage,
      trace_id: error.traceId,
      help: error.help,
    };
  if (error instanceof MaceUnreachable)
    return {
      error_code: 'UNREACHABLE',
      user_message: 'The memory service does not answer.',
      developer_message: error.message,
    };
  if (error instanceof MaceArgumentError || error instanceof z.ZodError)
    return {
      error_code: 'INVALID_INPUT',
      user_message: 'An argument of the call is missing, unknown or not allowed.',
      developer_message:
        error instanceof z.ZodError ? error.issues.map(problemOf).join('\n') : error.message,
    };
  return undefined;
}

/**
 * Makes the result of a call that the service refused. It is a result and no protocol error, so that the model
 * reads it and can do better. Any other error is thrown again.
 */
export function failedCall(error: unknown): CallToolResult {
  const failure = failureOf(error);
  if (failure === undefined) throw error;
  const { error_code, user_message, developer_message, trace_id, help } = failure;
  const lines = [
    `${error_code}: ${developer_message}`,
    ...helpLines({ developerMessage: developer_message, help }),
    user_message,
    ...(trace_id === undefined ? [] : [`trace id: ${trace_id}`]),
  ];
  return {
    isError: true,
    content: [{ type: 'text', text: lines.join('\n') }],
    _meta: { [ERROR_META]: { ...failure } },
  };
}

const MISSING: ReadonlySet<string> = new Set(['NOT_FOUND', 'SEM_NOT_FOUND']);

/** Makes the protocol error of a resource that cannot be read, because a read has no other way to fail. */
export function failedRead(error: unknown, uri: URL): unknown {
  // An address that is not encoded correctly names nothing.
  if (error instanceof URIError) return new ResourceNotFoundError(uri.href);
  const failure = failureOf(error);
  if (failure === undefined) return error;
  if (MISSING.has(failure.error_code)) return new ResourceNotFoundError(uri.href);
  const code =
    failure.error_code === 'INVALID_INPUT'
      ? ProtocolErrorCode.InvalidParams
      : ProtocolErrorCode.InternalError;
  return new ProtocolError(code, `${failure.error_code}: ${failure.developer_message}`, {
    ...failure,
  });
}
