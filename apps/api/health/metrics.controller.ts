import { Controller, Get, Header, Inject } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { KEY_SCOPES } from '#domain/canonical-key/canonical-key.js';
import type { EventStore } from '#event-store/event-store.js';
import { SemQueries } from '#projections/sem/queries.js';
import { Public } from '../platform/auth/roles.js';
import type { ReadModels } from '../platform/read-models.js';
import { EVENT_STORE, READ_MODELS } from '../platform/tokens.js';
import { IntegrityVerification } from '../integrity/integrity-verification.js';
import { Metrics } from '../platform/health/metrics.js';
import { ageOfFirstAfter } from './projection-lag.js';
import { withTimeout } from '../platform/health/with-timeout.js';

@ApiExcludeController()
@Controller('metrics')
export class MetricsController {
  constructor(
    private readonly metrics: Metrics,
    private readonly integrity: IntegrityVerification,
    @Inject(EVENT_STORE) private readonly eventStore: EventStore,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    private readonly facts: SemQueries,
  ) {}

  @Get()
  @Public()
  @Header('content-type', 'text/plain; version=0.0.4; charset=utf-8')
  async scrape(): Promise<string> {
    // If one server does not answer soon, its gauges keep their values and the others are still updated.
    await Promise.allSettled([
      withTimeout(this.observeReadModels()),
      withTimeout(this.observeFacts()),
      this.integrity.observe(),
    ]);
    return this.metrics.registry.metrics();
  }

  /** Updates the number of facts in each scope (SPEC S10). */
  private async observeFacts(): Promise<void> {
    const counts = await this.facts.countsByScope();
    for (const scope of KEY_SCOPES) this.metrics.semKeys.set({ scope }, counts.get(scope) ?? 0);
  }

  private async observeReadModels(): Promise<void> {
    const statuses = await this.readModels.status();
    const { projectionPosition, projectionStopped, projectionLag, projectionLagSeconds } =
      this.metrics;
    this.metrics.differentRows.reset();
    for (const { table, difference, count } of statuses.flatMap((status) => status.differences))
      this.metrics.differentRows.inc({ table, difference }, count);
    for (const { name: projection, position, stopped } of statuses) {
      projectionPosition.set({ projection }, Number(position ?? 0n));
      projectionStopped.set({ projection }, stopped === undefined ? 0 : 1);
    }
    const end = await this.eventStore.lastPosition();
    for (const { name: projection, position } of statuses) {
      const lag = (end ?? 0n) - (position ?? 0n);
      projectionLag.set({ projection }, lag > 0n ? Number(lag) : 0);
    }
    // Most read models are at the same position.
    const ages = new Map<bigint | undefined, number>();
    for (const { name: projection, position } of statuses) {
      const age = ages.get(position) ?? (await ageOfFirstAfter(this.eventStore, position, end));
      ages.set(position, age);
      projectionLagSeconds.set({ projection }, age);
    }
  }
}
