import { Injectable, type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import { uncarriable } from '#domain/determinism/canonical-json.js';
import { Refusal } from '#domain/errors/refusal.js';
import { convertQuery, FieldProblem, readerOf } from './dto-reader.js';
import type { DtoClass } from './nested.js';

const PLAIN: readonly unknown[] = [String, Number, Boolean, Object, Array, undefined];

const read = (dto: DtoClass, input: unknown): object => {
  try {
    return readerOf(dto)(input, '');
  } catch (problem) {
    if (problem instanceof FieldProblem)
      throw new Refusal('INVALID_INPUT', { reason: problem.message });
    throw problem;
  }
};

/** What the strict JSON parser does for bodies, for texts of the URL. */
const checkText = (value: unknown, from: string): void => {
  const reason = uncarriable(value ?? null);
  if (reason !== undefined) throw new Refusal('INVALID_INPUT', { reason: `${from}: ${reason}` });
};

/**
 * Turns a body, the query or the path into the DTO that the controller's parameter names, or refuses it as
 * INVALID_INPUT with the field's path (SPEC F4). Bodies are taken as they are; the query's numbers and flags
 * are read from their text.
 */
@Injectable()
export class DtoPipe implements PipeTransform<unknown, unknown> {
  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    if (type === 'custom') return value;
    if (type !== 'body') checkText(value, type);
    if (PLAIN.includes(metatype)) return value;
    const dto = metatype as DtoClass;
    if (type === 'query') return read(dto, convertQuery(dto, value as Record<string, unknown>));
    return read(dto, value ?? {});
  }
}
