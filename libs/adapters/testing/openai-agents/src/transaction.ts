import type { Json } from '@mace-memory/client';
import {
  type SessionHistoryTransaction,
  type SessionHistoryTransactionArgs,
  UserError,
} from '@openai/agents-core';
import { toJson } from './item-json.js';

/** A checked copy of a transaction: what the history must end with, and what takes its place. */
export interface Transaction {
  readonly operationId: string;
  readonly expected: readonly Json[];
  readonly items: readonly Json[];
}

/**
 * Returns a transaction as JSON. @throws UserError for one that is not valid or cannot be stored; it never
 * repeats the content, which may be secret
 */
export function transactionOf(args: SessionHistoryTransactionArgs): Transaction {
  const { operationId, transaction } = argumentsIn(args);
  if (typeof operationId !== 'string' || operationId.trim() === '')
    throw new UserError('Session history transaction operationId must be a non-empty string.');
  if (typeof transaction !== 'object' || transaction === null)
    throw new UserError('Session history transaction must be an object.');
  const { expected, items } = contentOf(copyOf(transaction));
  try {
    return { operationId, expected: toJson(expected), items: toJson(items) };
  } catch {
    throw invalidItems();
  }
}

const invalidItems = (): UserError =>
  new UserError('Session history transaction items contain invalid or unsupported data.');

/** Reads each argument once. */
function argumentsIn(args: SessionHistoryTransactionArgs) {
  try {
    const { operationId, transaction } = args;
    return { operationId, transaction };
  } catch {
    throw new UserError('Session history transaction arguments are invalid.');
  }
}

/** Returns a shallow copy, after a check that everything inside can be copied. */
function copyOf(transaction: SessionHistoryTransaction): SessionHistoryTransaction {
  try {
    structuredClone(transaction);
    return { ...transaction };
  } catch {
    throw invalidItems();
  }
}

function contentOf(transaction: SessionHistoryTransaction) {
  const fields = Object.keys(transaction).sort().join();
  switch (transaction.type) {
    case 'append_items':
      if (fields !== 'items,type' || !Array.isArray(transaction.items))
        throw new UserError('Session history append transaction fields are invalid.');
      return { expected: [], items: transaction.items };
    case 'replace_suffix': {
      const { expectedSuffix, replacement } = transaction;
      const areLists = Array.isArray(expectedSuffix) && Array.isArray(replacement);
      if (fields !== 'expectedSuffix,replacement,type' || !areLists)
        throw new UserError('Session history suffix transaction fields are invalid.');
      return { expected: expectedSuffix, items: replacement };
    }
    default:
      throw new UserError('Unsupported session history transaction type.');
  }
}
