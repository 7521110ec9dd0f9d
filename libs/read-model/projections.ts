import { Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { Projection } from './projection.js';
import { PROJECTOR, projectionOf } from './projector.decorator.js';

/** The projections of a program: all its providers with `@Projector`. */
@Injectable()
export class Projections {
  private found: readonly Projection[] | undefined;

  constructor(private readonly discovery: DiscoveryService) {}

  /** Returns the projections by name. It may be called once the program's providers are created. */
  all(): readonly Projection[] {
    this.found ??= this.discovery
      .getProviders({ metadataKey: PROJECTOR.KEY })
      .map(({ instance }) => projectionOf(instance as object))
      .sort((left, right) => (left.name < right.name ? -1 : 1));
    return this.found;
  }

  /** Returns the projections with these names; all by default. @throws UnknownReadModel */
  named(names: readonly string[] = this.names): readonly Projection[] {
    const unknown = names.find((name) => !this.names.includes(name));
    if (unknown !== undefined) throw new UnknownReadModel(unknown, this.names);
    return this.all().filter(({ name }) => names.includes(name));
  }

  get names(): readonly string[] {
    return this.all().map(({ name }) => name);
  }
}

/** Thrown for a name that no projection of the program has. */
export class UnknownReadModel extends Error {
  override readonly name = 'UnknownReadModel';

  constructor(unknown: string, known: readonly string[]) {
    super(
      `${JSON.stringify(unknown)} is not the name of a read model. The read models are ${known.join(', ')}.`,
    );
  }
}
