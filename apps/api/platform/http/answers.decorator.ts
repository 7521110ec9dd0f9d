import { applyDecorators, HttpCode } from '@nestjs/common';
import { ApiExtension, ApiResponse } from '@nestjs/swagger';
import type { ErrorCode } from '#domain/errors/error-table.js';
import type { DtoClass } from './answer-fields.js';

/** Sets the status of a successful answer, and declares the DTO of its body for openapi.json. */
export const Answers = (status: 200 | 201 | 202, dto: DtoClass): MethodDecorator =>
  applyDecorators(HttpCode(status), ApiResponse({ status, type: dto }));

/** The field of an operation in openapi.json that lists its error codes. */
export const ERROR_CODES_FIELD = 'x-error-codes';

/** Declares the error codes of a route, in addition to the codes that every route can return. */
export const Fails = (...codes: readonly ErrorCode[]): MethodDecorator =>
  ApiExtension(ERROR_CODES_FIELD, codes) as MethodDecorator;
