import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import type { DtoClass } from './nested.js';

/** The schema of a field of an answer. */
type Schema = Readonly<Record<string, unknown>>;

export const TEXT: Schema = { type: 'string' };
export const WHOLE: Schema = { type: 'integer' };
export const NUMBER: Schema = { type: 'number' };
export const FLAG: Schema = { type: 'boolean' };
/** ISO 8601 in UTC. */
export const INSTANT: Schema = { type: 'string', format: 'date-time' };
export const oneOf = (...values: readonly string[]): Schema => ({ type: 'string', enum: values });

/** Any JSON value. The SDK's generator knows it by its title. */
export const JSON_VALUE: Schema = {
  title: 'Json',
  nullable: true,
  oneOf: [
    { type: 'string' },
    { type: 'number' },
    { type: 'boolean' },
    { type: 'object', additionalProperties: true },
    { type: 'array', items: {} },
  ],
};
/** Any JSON object. The SDK's generator knows it by its title. */
export const JSON_OBJECT: Schema = {
  title: 'JsonObject',
  type: 'object',
  additionalProperties: true,
};

export const one = (dto: DtoClass): Schema => ({ type: dto });
export const many = (dto: DtoClass): Schema => ({ type: [dto] });
export const list = (items: Schema): Schema => ({ type: 'array', items });
export const orNull = (schema: Schema): Schema => ({ ...schema, nullable: true });

interface Field {
  readonly description?: string;
  /** The field is left out where it does not apply. */
  readonly optional?: boolean;
}

/** A field of a DTO that is answered, as openapi.json and the SDK show it. */
export const Shown = (
  schema: Schema,
  { description, optional = false }: Field = {},
): PropertyDecorator =>
  ApiProperty({
    ...schema,
    required: !optional,
    ...(description === undefined ? {} : { description }),
  } as ApiPropertyOptions);
