import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { BadConfig } from '#platform/config/bad-config.js';
import { ProgramModule } from '#platform/program.module.js';
import { ProjectorModule } from '#platform/projector.module.js';
import { NestLogger } from '#platform/start/nest-logger.js';
import { runProgram, say } from '#platform/start/run.js';
import { ReadModelsModule } from '#projections/read-models.module.js';
import { Projections } from '#read-model/projections.js';

@Module({})
class ProjectorProgram {}

/**
 * Runs the projections as a separate process. If several such processes run, only the holder of the lock
 * projects the read models.
 */
await runProgram(async (config, logger) => {
  const { eventStoreUrl, postgresUrl } = config;
  if (eventStoreUrl === undefined || postgresUrl === undefined)
    throw new BadConfig(
      'The projector works on servers that run elsewhere: set MACE_EVENTSTORE_URL and MACE_POSTGRES_URL.',
    );
  const program = ProgramModule.of(config, { eventStoreUrl, postgresUrl }, logger);
  const app = await NestFactory.createApplicationContext(
    { module: ProjectorProgram, imports: [program, ReadModelsModule, ProjectorModule] },
    { logger: new NestLogger(logger), abortOnError: false },
  );
  say(`Projecting ${app.get(Projections).names.join(', ')}. Ctrl-C stops it.`);
  return { stop: () => app.close() };
});
