import { Injectable } from '@nestjs/common';
import { isSealed } from '#domain/held.js';
import { ROUTE_REASONS } from '#domain/router/rules.js';
import { togglesFrom, toggleKey } from '#domain/router/toggles.js';
import { SemQueries } from '#projections/sem/queries.js';

type Toggles = ReturnType<typeof togglesFrom>;

const KEYS = ROUTE_REASONS.map(toggleKey);

/** Reads the router's toggles from facts at a snapshot (SPEC R1). */
@Injectable()
export class RouterToggles {
  /** The last result. It is cached because a snapshot never changes. */
  private last: { readonly count: number; readonly toggles: Promise<Toggles> } | undefined;

  constructor(private readonly facts: SemQueries) {}

  /** Returns the toggles after the first `count` SEM events (SPEC S8). */
  at(count: number): Promise<Toggles> {
    if (this.last?.count === count) return this.last.toggles;
    const last = { count, toggles: this.read(count) };
    this.last = last;
    last.toggles.catch(() => {
      if (this.last === last) this.last = undefined;
    });
    return last.toggles;
  }

  private async read(count: number): Promise<Toggles> {
    const facts = await this.facts.getManyAtCount(KEYS, count);
    return togglesFrom((key) => {
      const held = facts.get(key)?.held;
      return held === undefined || isSealed(held) ? undefined : held.value;
    });
  }
}
