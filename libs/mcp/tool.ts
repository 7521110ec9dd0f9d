import type { ToolAnnotations } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { MaceClient } from '#client/mace-client.js';

/** The roles that a token can have. */
export type Role = 'agent' | 'user' | 'council' | 'admin' | 'auditor';

/** A tool of the MCP server. Each call makes requests to the service, with the caller's token. */
export interface MemoryTool<
  In extends z.ZodObject = z.ZodObject,
  Out extends z.ZodObject = z.ZodObject,
> {
  readonly name: string;
  readonly title: string;
  /** For a model: what the tool does, and when to call it. */
  readonly description: string;
  /** The routes of the service that the tool calls. */
  readonly routes: readonly string[];
  /** The roles that see the tool: the roles that all its routes allow. */
  readonly roles: readonly Role[];
  /** True for a tool of a reviewer, which only a council identity sees. */
  readonly isReview?: boolean;
  readonly annotations: ToolAnnotations;
  /** Made at first use, so that `npm run generate:client` can load the tools before it has written their requests. */
  readonly input: () => In;
  readonly output: Out;
  readonly call: (client: MaceClient, input: z.output<In>) => Promise<z.output<Out>>;
  /** The result as a text that a model or a person can read, with every id that a next call needs. */
  readonly text: (result: z.output<Out>) => string;
}

/** Declares a tool. Afterwards the types of its input and output are known only to the tool itself. */
export const tool = <In extends z.ZodObject, Out extends z.ZodObject>(
  declared: MemoryTool<In, Out>,
): MemoryTool => {
  let made: In | undefined;
  return { ...declared, input: () => (made ??= declared.input()) } as MemoryTool<In, Out>;
};

/** The input of a tool. A field that the tool does not know is an error, so that no misspelt field is ignored. */
export const input = z.strictObject;
/** The output of a tool, or a part of it. A later release may add fields. */
export const output = z.looseObject;

/** The form of a fact's key. The service checks it again; a model reads here how to write one. */
export const FACT_KEY = /^[a-z0-9_]+\/[a-z0-9_]+\/[a-z0-9_-]+\/[a-z0-9_]+$/;
export const factKey = z.string().regex(FACT_KEY, {
  error: 'A key has four parts, scope/entity_type/entity_id/attribute, in lower case.',
});

/** Any JSON value in an output. */
export const json = z.unknown();
export const whole = z.int();

const closed = { openWorldHint: false } as const;
/** The tool changes nothing. */
export const READS = { ...closed, readOnlyHint: true } as const;
/** Each call adds something; nothing is lost. */
export const ADDS = {
  ...closed,
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
} as const;
/** The call replaces or removes something. A second equal call changes nothing more. */
export const REPLACES = {
  ...closed,
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: true,
} as const;

/** A value as one line of JSON, for the text of a result. */
export const shown = (value: unknown): string => JSON.stringify(value ?? null);
/** Lines of a result's text, or a sentence if there are none. */
export const lines = (all: readonly string[], none: string): string =>
  all.length === 0 ? none : all.join('\n');
