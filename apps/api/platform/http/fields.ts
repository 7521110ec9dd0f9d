import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, getSchemaPath, OmitType } from '@nestjs/swagger';
import {
  Allow,
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
  MinLength,
  ValidateBy,
  ValidateIf,
  type ValidationOptions,
} from 'class-validator';
import { isUserId } from '#domain/canonical-key/canonical-key.js';
import { NEW_SEED_PATTERN } from '#domain/determinism/ids.js';
import { isPosition, POSITION } from '#domain/position.js';
import { TIME_PROBLEMS, timeProblem } from '#domain/sem/timestamp.js';
import { nestedField } from './dto.pipe.js';
import { ApiField, type DtoClass, JSON_OBJECT, JSON_VALUE, one } from './answer-fields.js';

/** The options of every field: whether the client may omit it, and its OpenAPI description. */
interface Field {
  readonly optional?: boolean;
  /** True if null is refused, and not the same as an optional field that is missing. */
  readonly notNull?: boolean;
  /** True if the client may send null. */
  readonly nullable?: boolean;
  readonly description?: string;
}

const isNotNull = (_: unknown, value: unknown): boolean => value !== null;

const field = (
  options: Field,
  schema: Readonly<Record<string, unknown>>,
  ...validators: PropertyDecorator[]
): PropertyDecorator =>
  applyDecorators(
    ApiField(options.nullable ? { ...schema, nullable: true } : schema, options),
    ...(options.optional ? [options.notNull ? IsGiven() : IsOptional()] : []),
    ...(options.nullable ? [ValidateIf(isNotNull)] : []),
    ...validators,
  );

/** Leaves a field unchecked only if it is missing. */
const IsGiven = (): PropertyDecorator => ValidateIf((_, value) => value !== undefined);

/** The least number of items of a list in openapi.json. */
const atLeast = (min: number | undefined): object => (min === undefined ? {} : { minItems: min });

const saying = (form: string | undefined): ValidationOptions =>
  form === undefined ? {} : { message: `$property must ${form}` };

/**
 * A string of `min` to `max` characters (Unicode code points), as JSON Schema counts them. Callers are shown the `pattern`, or
 * `form`: what the text must be, in words.
 */
export const Text = (
  options: Field & { min?: number; max: number; pattern?: RegExp; form?: string },
): PropertyDecorator =>
  field(
    options,
    {
      type: 'string',
      minLength: options.min ?? 0,
      maxLength: options.max,
      ...(options.pattern === undefined ? {} : { pattern: options.pattern.source }),
    },
    IsString(),
    MinLength(options.min ?? 0),
    MaxLength(options.max),
    ...(options.pattern === undefined ? [] : [Matches(options.pattern, saying(options.form))]),
  );

const LETTERS = 'have 1 to 128 characters: letters, digits and . _ : - alone, and not be . or ..';

/** A job_seed or a session_id (SPEC I4). */
export const SeedText = (options: Field = {}): PropertyDecorator =>
  Text({ ...options, min: 1, max: 128, pattern: NEW_SEED_PATTERN, form: LETTERS });

const POSITION_WORDS = 'be a position of the log in decimal digits, as answers have it';

/** A commit position as a decimal string, such as a list's cursor. 18 digits fit a 64-bit integer. */
export const PositionText = (options: Field = {}): PropertyDecorator =>
  Text({ ...options, min: 1, max: 18, pattern: POSITION, form: POSITION_WORDS });

/** The most characters of a sealed cursor: enough for each name of a stream. */
const MAX_SEALED_CURSOR = 4_096;

/** The cursor of a list that seals its cursors. */
export const SealedCursorText = (): PropertyDecorator =>
  Text({
    ...{ optional: true, min: 1, max: MAX_SEALED_CURSOR, pattern: /^[A-Za-z0-9_.-]+$/ },
    form: 'be the next_cursor of an answer',
    description: 'The next_cursor of the page before.',
  });

/** The number of an event in its stream. The read models store it as a 32-bit integer. */
export const EventNumber = (options: Field = {}): PropertyDecorator =>
  Whole({ ...options, min: 0, max: 2_147_483_647 });

const ANSWERED = 'be an id as an answer gives it: letters, digits and . _ : -';

/**
 * An id in the form that the service generates. An answer never repeats a text that does not have this
 * form (SPEC P6).
 */
export const IdText = (options: Field = {}): PropertyDecorator =>
  Text({ ...options, min: 1, max: 256, pattern: /^[A-Za-z0-9._:-]{1,256}$/, form: ANSWERED });

/** Texts that a program sends by mistake when it has no id. */
const MISSING_ID = /^(?:undefined|null|None|NaN|\[object Object\])$/;

/**
 * The raw id of a user, as the caller's identity provider gives it (SPEC I9). A program that has none must leave it out:
 * null, and a text that says so, would be the memory of the agent, or of everyone whose id is missing.
 */
export const UserIdText = (options: Field = {}): PropertyDecorator =>
  applyDecorators(
    Text({ ...options, notNull: true, min: 1, max: 256 }),
    ValidateBy({
      name: 'isNoMissingId',
      validator: {
        validate: (value: unknown) => typeof value !== 'string' || !MISSING_ID.test(value),
        defaultMessage: () =>
          '$property is the text of a missing value: give an id, or leave it out',
      },
    }),
    ValidateBy({
      name: 'isUserId',
      validator: {
        validate: (value: unknown) => typeof value !== 'string' || isUserId(value),
        defaultMessage: () => '$property must be in Unicode NFC, without white space at its ends',
      },
    }),
  );

const OWNER = 'begin with user: or sub:, as in user:ada';

/** The owner of notes, conversations or threads, for callers who may read everyone’s. */
export const OwnerText = (description: string): PropertyDecorator =>
  Text({
    optional: true,
    notNull: true,
    min: 5,
    max: 300,
    pattern: /^(user|sub):./s,
    form: OWNER,
    description,
  });

/** An integer from `min` to `max`. In a query string, it is parsed from its decimal form. */
export const Whole = (options: Field & { min: number; max: number }): PropertyDecorator =>
  field(
    options,
    { type: 'integer', minimum: options.min, maximum: options.max },
    IsInt(),
    Min(options.min),
    Max(options.max),
  );

/** `true` or `false`. */
export const Flag = (options: Field = {}): PropertyDecorator =>
  field(options, { type: 'boolean' }, IsBoolean());

/** A string from a fixed set. */
export const OneOf = (values: readonly string[], options: Field = {}): PropertyDecorator =>
  field(options, { type: 'string', enum: [...values] }, IsIn(values));

/** A list of at most `max` strings from a fixed set. */
export const SomeOf = (
  values: readonly string[],
  options: Field & { max: number },
): PropertyDecorator =>
  field(
    options,
    { type: 'array', maxItems: options.max, items: { type: 'string', enum: [...values] } },
    IsArray(),
    ArrayMaxSize(options.max),
    IsIn(values, { each: true }),
  );

/** A list of `min` to `max` JSON values of any kind; the domain checks their size. */
export const JsonList = (options: Field & { min?: number; max: number }): PropertyDecorator =>
  field(
    options,
    { type: 'array', ...atLeast(options.min), maxItems: options.max, items: JSON_VALUE },
    IsArray(),
    ...(options.min === undefined ? [] : [ArrayMinSize(options.min)]),
    ArrayMaxSize(options.max),
  );

/**
 * Any JSON value, including `null`; the domain checks its size. @param options `shownAs` is the DTO that
 * openapi.json shows, if the domain checks the structure of the value.
 */
export const AnyJson = (options: Field & { shownAs?: DtoClass } = {}): PropertyDecorator =>
  applyDecorators(
    ApiField(options.shownAs === undefined ? JSON_VALUE : one(options.shownAs), options),
    options.optional ? Allow() : IsPresent(),
  );

/** A JSON object with any keys. */
export const AnyObject = (options: Field = {}): PropertyDecorator =>
  field(options, JSON_OBJECT, IsObject());

/** A list of `min` to `max` strings, each of 1 to `maxLength` characters. */
export const TextList = (
  options: Field & { min?: number; max: number; maxLength: number },
): PropertyDecorator =>
  field(
    options,
    {
      type: 'array',
      ...atLeast(options.min),
      maxItems: options.max,
      items: { type: 'string', minLength: 1, maxLength: options.maxLength },
    },
    IsArray(),
    ...(options.min === undefined ? [] : [ArrayMinSize(options.min)]),
    ArrayMaxSize(options.max),
    IsString({ each: true }),
    MinLength(1, { each: true }),
    MaxLength(options.maxLength, { each: true }),
  );

/** A list of at most `max` JSON objects with any keys. */
export const ObjectList = (options: Field & { max: number }): PropertyDecorator =>
  field(
    options,
    {
      type: 'array',
      maxItems: options.max,
      items: JSON_OBJECT,
    },
    IsArray(),
    ArrayMaxSize(options.max),
    IsObject({ each: true }),
  );

const IsTimeWithout = (
  problem: keyof typeof TIME_PROBLEMS,
  isOther: (text: string) => boolean = () => false,
  other = '',
): PropertyDecorator =>
  ValidateBy({
    name: `isTimeWithout:${problem}`,
    validator: {
      validate: (value: unknown) =>
        typeof value === 'string'
          ? isOther(value) || timeProblem(value) !== problem
          : problem !== 'form',
      defaultMessage: () => `$property ${TIME_PROBLEMS[problem]}${other}`,
    },
  });

/** A time as RFC 3339 has it, with any offset, such as `2026-01-31T12:00:00+01:00`. */
export const Instant = (options: Field = {}): PropertyDecorator =>
  field(
    options,
    { type: 'string', format: 'date-time' },
    IsTimeWithout('form'),
    IsTimeWithout('leap_second'),
  );

/** The name of the field that reads memory as it was at a time. */
export const AT = 'at';

/** The form of a moment. `IsTimeWithout` checks a time as well. */
const MOMENT = '^(\\d{1,18}|\\d{4}-.+)$';

/** A moment of the log: a time as RFC 3339 has it, or the position of an event. */
export const MomentText = (options: Field = {}): PropertyDecorator =>
  field(
    options,
    { type: 'string', pattern: MOMENT },
    IsTimeWithout('form', isPosition, ', or the position of an event in digits'),
    IsTimeWithout('leap_second', isPosition),
  );

/** A moment at which memory is read as it was (SPEC W5). @param others the fields that also name a moment */
export const At = (...others: readonly string[]): PropertyDecorator =>
  MomentText({
    optional: true,
    description: `Reads what the log held at this time, or at this position. ${
      others.length === 0 ? '' : `Not together with ${others.join(', ')}. `
    }See \`GET /v1/positions\`.`,
  });

const IsPresent = (): PropertyDecorator =>
  ValidateBy({
    name: 'isPresent',
    validator: {
      validate: (value: unknown) => value !== undefined,
      defaultMessage: () => '$property must be given',
    },
  });

/** An object whose fields another DTO class declares. */
export const Nested = (dto: DtoClass, options: Field = {}): PropertyDecorator =>
  field(options, { type: dto }, nestedField({ kind: 'one', dto }));

/** A list of at most `max` objects whose fields another DTO class declares. */
export const ListOf = (dto: DtoClass, options: Field & { max: number }): PropertyDecorator =>
  field(
    options,
    { type: [dto], maxItems: options.max },
    nestedField({ kind: 'many', dto, max: options.max }),
  );

/**
 * Makes the classes of the commands of a batch from the classes of their requests. @param by the field that selects
 * a command's class; each request's instances have its value @param without the fields of the requests that the batch
 * itself has
 */
export function commandsOf(
  by: string,
  requests: readonly DtoClass[],
  without: readonly string[],
): Record<string, DtoClass> {
  const commands = requests.map((request): [string, DtoClass] => {
    const value = (new request() as Record<string, string>)[by] ?? '';
    const command: DtoClass = class extends (OmitType(request, without as never[]) as DtoClass) {};
    Object.defineProperty(command, 'name', { value: `${request.name}Command` });
    OneOf([value])(command.prototype as object, by);
    return [value, command];
  });
  return Object.fromEntries(commands);
}

/** The commands of a batch: 1 to `max` objects; the field that `by` names selects the class of each object. */
export const Commands = (
  by: string,
  dtos: Readonly<Record<string, DtoClass>>,
  options: Field & { max: number },
): PropertyDecorator =>
  applyDecorators(
    field(
      options,
      {
        type: 'array',
        minItems: 1,
        maxItems: options.max,
        items: { oneOf: Object.values(dtos).map((dto) => ({ $ref: getSchemaPath(dto) })) },
      },
      nestedField({ kind: 'commands', by, dtos, max: options.max }),
    ),
    (batch: object): void => {
      ApiExtraModels(...Object.values(dtos))(batch.constructor);
    },
  );
