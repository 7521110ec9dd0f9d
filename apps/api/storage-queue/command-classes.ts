import { Injectable } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import type { ICommand } from '@nestjs/cqrs';
import type { KeptCommand } from './refused-write.js';

/** Under which @nestjs/cqrs notes a handler's command; it does not export the name. */
const HANDLED_COMMAND = '__commandHandler__';

type CommandClass = abstract new (...fields: never[]) => ICommand;

/** The classes of all commands that have a handler, by name, to bring kept ones back to life. */
@Injectable()
export class CommandClasses {
  private known: ReadonlyMap<string, CommandClass> | undefined;

  constructor(private readonly modules: ModulesContainer) {}

  /** The command as it was; undefined if this release does not know it. */
  revive({ name, fields }: KeptCommand): ICommand | undefined {
    this.known ??= this.collect();
    const known = this.known.get(name);
    if (known === undefined) return undefined;
    return Object.assign(Object.create(known.prototype as object) as ICommand, fields);
  }

  private collect(): ReadonlyMap<string, CommandClass> {
    const providers = [...this.modules.values()].flatMap((module) => [
      ...module.providers.values(),
    ]);
    const classes = providers.flatMap(({ metatype }) => {
      if (typeof metatype !== 'function') return [];
      const command: unknown = Reflect.getMetadata(HANDLED_COMMAND, metatype);
      return typeof command === 'function' ? [command as CommandClass] : [];
    });
    return new Map(classes.map((command) => [command.name, command]));
  }
}
