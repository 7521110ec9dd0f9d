import { ApiProperty } from '@nestjs/swagger';

/** A class whose decorators declare its fields. */
export type DtoClass = new () => object;

/** The OpenAPI schema of a field in an answer. */
type Schema = Readonly<Record<string, unknown>>;

export const TEXT: Schema = { type: 'string' };
export const WHOLE: Schema = { type: 'integer' };
export const NUMBER: Schema = { type: 'number' };
export const FLAG: Schema = { type: 'boolean' };
/** The schema of an ISO 8601 instant in UTC. */
export const INSTANT: Schema = { type: 'string', format: 'date-time' };
export const oneOf = (...values: readonly string[]): Schema => ({ type: 'string', enum: values });

/** The schemas of JSON values in openapi.json. The SDK replaces them by its own types. */
export const JSON_SCHEMAS = {
  Json: {
    nullable: true,
    oneOf: [
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

export const one = (dto: DtoClass): Schema => ({ type: dto });
export const many = (dto: DtoClass): Schema => ({ type: [dto] });
export const list = (items: Schema): Schema => ({ type: 'array', items });
export const orNull = (schema: Schema): Schema => ({ ...schema, nullable: true });

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
