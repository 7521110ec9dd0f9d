import type { ServerResponse } from 'node:http';

/** Answers the request with this number, counted from 1. */
export type Answer<Request> = (
  request: Request,
  outgoing: ServerResponse,
  number: number,
) => void | Promise<void>;

/** A model behind an HTTP API. A package's tests say what it answers, in the form of its framework's API. */
export class ModelServer<Request> {
  static start<Request>(answer: Answer<Request>): Promise<ModelServer<Request>>;
  /** The bodies of all requests so far. */
  readonly requests: readonly Request[];
  /** The URL without a path. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Sends a JSON answer. */
export function sendJson(outgoing: ServerResponse, answer: unknown): void;
