import { applyDecorators, HttpCode } from '@nestjs/common';
import { ApiExtension, ApiResponse } from '@nestjs/swagger';
import type { ErrorCode } from '#domain/errors/error-table.js';
import type { DtoClass } from './dto.pipe.js';

/** The status of a route's success, and the DTO that openapi.json shows for its body. */
export const Answers = (status: 200 | 201 | 202, dto: DtoClass): MethodDecorator =>
  applyDecorators(HttpCode(status), ApiResponse({ status, type: dto }));

/** The operation's field in openapi.json that lists its error codes. */
export const ERROR_CODES_FIELD = 'x-error-codes';

/** The error codes of a route, beside those that every route can answer. */
export const Fails = (...codes: readonly ErrorCode[]): MethodDecorator =>
  ApiExtension(ERROR_CODES_FIELD, codes) as MethodDecorator;
