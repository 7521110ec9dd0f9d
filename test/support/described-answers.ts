import { expect } from '@jest/globals';
import { Ajv, type ValidateFunction } from 'ajv';
import type { JsonObject } from '#domain/json.js';
import { ensure } from './ensure.js';

interface Answered {
  readonly content?: Readonly<Record<string, { readonly schema?: JsonObject }>>;
}

export interface OpenApi {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly responses: Record<string, Answered> }>>>
  >;
  readonly components: { readonly schemas: Readonly<Record<string, JsonObject>> };
}

/** The schemas that allow fields that they do not name; only the schemas of failures allow this. */
const OPEN_SCHEMAS = ['ErrorEnvelopeDto'];

/**
 * Converts an OpenAPI 3.0 schema for ajv. `nullable` becomes the type `null`, and unknown fields become
 * errors.
 */
function strict(schema: unknown, isOpen = false): unknown {
  if (Array.isArray(schema)) return schema.map((part) => strict(part));
  if (typeof schema !== 'object' || schema === null) return schema;
  const { nullable, ...rest } = schema as Record<string, unknown>;
  const read = Object.fromEntries(Object.entries(rest).map(([key, part]) => [key, strict(part)]));
  const closes = 'properties' in read && !('additionalProperties' in read) && !isOpen;
  const closed = closes ? { ...read, additionalProperties: false } : read;
  return nullable === true ? { anyOf: [closed, { type: 'null' }] } : closed;
}

/** Checks the answers of a service against its openapi.json. */
export class DescribedAnswers {
  private readonly ajv = new Ajv({
    strict: false,
    allErrors: true,
    formats: { 'date-time': true },
  });
  private readonly checks = new Map<string, ValidateFunction>();
  /** `METHOD pattern` of each operation that has answered with success. */
  readonly succeeded = new Set<string>();

  constructor(private readonly openApi: OpenApi) {
    const schemas = Object.fromEntries(
      Object.entries(openApi.components.schemas).map(([name, schema]) => [
        name,
        strict(schema, OPEN_SCHEMAS.includes(name)),
      ]),
    );
    this.ajv.addSchema({ $id: 'openapi', components: { schemas } });
  }

  /** All operations, as `METHOD pattern`. */
  get operations(): readonly string[] {
    return Object.entries(this.openApi.paths).flatMap(([pattern, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${pattern}`),
    );
  }

  /**
   * Fails if openapi.json has no schema for this answer of `operation`, or if the answer does not match
   * its schema.
   */
  check(operation: string, status: number, body: unknown): void {
    const at = `${operation} answers ${status}`;
    const [method = '', pattern = ''] = operation.split(' ');
    const described = this.openApi.paths[pattern]?.[method.toLowerCase()]?.responses[status];
    ensure(described);
    const schema = described.content?.['application/json']?.schema;
    ensure(schema);
    const check = this.checkOf(at, schema);
    expect(check(body)).toBe(true);
    if (status < 300) this.succeeded.add(operation);
  }

  private checkOf(at: string, schema: JsonObject): ValidateFunction {
    const text = JSON.stringify(strict(schema)).replaceAll('"#/', '"openapi#/');
    const known = this.checks.get(at);
    if (known !== undefined) return known;
    const check = this.ajv.compile(JSON.parse(text) as object);
    this.checks.set(at, check);
    return check;
  }
}
