import type { LoggerService } from '@nestjs/common';
import type { Logger } from 'pino';

/** Writes Nest's own messages to the service's log; its start-up messages at debug level. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, ...rest: unknown[]): void {
    this.logger.debug({ type: 'nest', context: rest.at(-1) }, String(message));
  }

  debug(message: unknown, ...rest: unknown[]): void {
    this.log(message, ...rest);
  }

  verbose(message: unknown, ...rest: unknown[]): void {
    this.log(message, ...rest);
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.logger.warn({ type: 'nest', context: rest.at(-1) }, String(message));
  }

  error(message: unknown, ...rest: unknown[]): void {
    // Nest throws the same error, and `runProgram` prints it.
    if (rest.at(-1) === 'ExceptionHandler') return;
    this.logger.error({ type: 'nest', context: rest.at(-1) }, String(message));
  }
}
