import type { Type } from '@nestjs/common';
import { CommandHandler } from '@nestjs/cqrs';

interface Handles<Command> {
  execute(command: Command): Promise<unknown>;
}

/** Makes the handlers of several commands that one class carries out. */
export const handlersOf = <Command extends object>(
  handler: Type<Handles<Command>>,
  ...commands: readonly Type<Command>[]
): Type[] =>
  commands.map((command) => {
    @CommandHandler(command)
    class Handler extends handler {}
    return Handler;
  });
