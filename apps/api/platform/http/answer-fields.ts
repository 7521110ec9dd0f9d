import { ApiProperty } from '@nestjs/swagger';

/** A class whose decorators declare its fields. */
export type DtoClass = new () => object;

/** The OpenAPI schema of a field in an answer. */
type Schema = Readonly<Record<string, unknown>>;
/** A schema that can be nullable: without a type, OpenAPI 3.0 gives `nullable` no meaning. */
type Typed = Schema & { readonly type: unknown };

export const TEXT: Typed = { type: 'string' };
export const WHOLE: Typed = { type: 'integer' };
export const NUMBER: Typed = { type: 'number' };
export const FLAG: Typed = { type: 'boolean' };
/** The schema of an ISO 8601 instant in UTC. */
export const INSTANT: Typed = { type: 'string', format: 'date-time' };
export const oneOf = (...values: readonly string[]): Typed => ({ type: 'string', enum: values });

/** The schemas of JSON values in openapi.json. The SDK replaces them by its own types. */
export const JSON_SCHEMAS = {
  Json: {
    oneOf: [
      { type: 'string', enum: [null], nullable: true },
      { type: 'string' },
      { type: 'number' },
      { type: 'boolean' },
      { type: 'array', items: { $ref: '#/components/schemas/Json' } },
      { $ref: '#/components/schemas/JsonObject' },
    ],
  },
  JsonObject: {
    type: 'object',
    additionalProperties: { $ref: '#/components/schemas/Json' },
  },
};

/** The schema of any JSON value, including null. */
export const JSON_VALUE: Schema = { allOf: [{ $ref: '#/components/schemas/Json' }] };
export const JSON_OBJECT: Schema = { allOf: [{ $ref: '#/components/schemas/JsonObject' }] };
export const JSON_OBJECT_OR_NULL: Schema = { ...JSON_SCHEMAS.JsonObject, nullable: true };

export const one = (dto: DtoClass): Typed => ({ type: dto });
export const many = (dto: DtoClass): Typed => ({ type: [dto] });
export const list = (items: Schema): Typed => ({ type: 'array', items });
export const orNull = (schema: Typed): Typed => ({ ...schema, nullable: true });

interface Field {
  readonly description?: string;
  /** True if the answer can omit the field. */
  readonly optional?: boolean;
}

/** Declares a field of an answer's DTO for openapi.json and the SDK. */
export const ApiField = (
  schema: Schema,
  { description, optional = false }: Field = {},
): PropertyDecorator =>
  ApiProperty({
    ...schema,
    required: !optional,
    ...(description === undefined ? {} : { description }),
  });
