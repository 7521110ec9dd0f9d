import { Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { EventProjector, Projection } from './projection.js';
import { projectionOf, Projector } from './projector.decorator.js';

/** The projections of a program: its providers marked with `@Projector`. */
@Injectable()
export class Projections {
  private found: readonly Projection[] | undefined;

  constructor(private readonly discovery: DiscoveryService) {}

  /**
   * Returns them in the order in which their modules are imported. Callable once the program's providers are
   * created.
   */
  all(): readonly Projection[] {
    this.found ??= this.discovery
      .getProviders({ metadataKey: Projector.KEY })
      .map(({ instance }) => projectionOf(instance as EventProjector));
    return this.found;
  }

  get names(): readonly string[] {
    return this.all().map(({ name }) => name);
  }
}
