import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ReadModelsModule } from '#projections/read-models.module.js';
import { Postgres } from '#read-model/postgres.js';
import type { Projection } from '#read-model/projection.js';
import { Projections } from '#read-model/projections.js';
import { RowMacs } from '#read-model/row-macs.js';
import { TEST_KEYS } from './test-keys.js';

@Module({})
class NoServers {}

/** The key of the MACs in tests. */
export const TEST_MACS = new RowMacs(TEST_KEYS.MACE_SEALING_KEY);

/** Returns the projections that the product's programs discover, without connecting to a server. */
export async function productProjections(): Promise<readonly Projection[]> {
  const postgres = {
    provide: Postgres,
    useFactory: () => new Postgres({ url: 'postgres://nobody@127.0.0.1:1/nothing' }),
  };
  const noServers = {
    module: NoServers,
    global: true,
    providers: [postgres],
    exports: [postgres],
  };
  const app = await NestFactory.createApplicationContext(
    { module: class Program {}, imports: [noServers, ReadModelsModule] },
    { logger: false, abortOnError: false },
  );
  return app.get(Projections).all();
}
