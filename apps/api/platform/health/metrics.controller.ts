import { Controller, Get, Header, Inject } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { EventStore } from '#event-store/event-store.js';
import { Public } from '../auth/roles.js';
import type { ReadModels } from '../resources.js';
import { EVENT_STORE, READ_MODELS } from '../tokens.js';
import { Metrics } from './metrics.js';

@ApiExcludeController()
@Controller('metrics')
export class MetricsController {
  constructor(
    private readonly metrics: Metrics,
    @Inject(EVENT_STORE) private readonly eventStore: EventStore,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
  ) {}

  @Get()
  @Public()
  @Header('content-type', 'text/plain; version=0.0.4; charset=utf-8')
  async scrape(): Promise<string> {
    // What is in trouble must not hide what is not: an unreachable server leaves its gauges as they were.
    await this.observeReadModels().catch(() => undefined);
    return this.metrics.registry.metrics();
  }

  private async observeReadModels(): Promise<void> {
    const statuses = await this.readModels.status();
    const { projectionPosition, projectionStopped, projectionLag } = this.metrics;
    for (const { name: projection, position, stopped } of statuses) {
      projectionPosition.set({ projection }, Number(position ?? 0n));
      projectionStopped.set({ projection }, stopped === undefined ? 0 : 1);
    }
    const end = (await this.eventStore.lastPosition()) ?? 0n;
    for (const { name: projection, position } of statuses) {
      const lag = end - (position ?? 0n);
      projectionLag.set({ projection }, lag > 0n ? Number(lag) : 0);
    }
  }
}
