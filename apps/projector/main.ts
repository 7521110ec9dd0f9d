import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { BadConfig } from '#platform/config/bad-config.js';
import { ProgramModule } from '#platform/program.module.js';
import { ProjectorModule } from '#platform/projector.module.js';
import { NestLogger } from '#platform/start/nest-logger.js';
import { runProgram, say } from '#platform/start/run.js';
import { ReadModelsModule } from '#projections/read-models.module.js';
import { Projections, UnknownReadModel } from '#read-model/projections.js';
import { HELP, readOnly } from './arguments.js';

@Module({})
class ProjectorProgram {}

// Runs the projections as a separate process. If several such processes run, each read model is projected by
// the one that holds its lock.
if (process.argv.includes('--help')) {
  say(HELP);
  process.exit(0);
}
await runProgram(async (config, logger) => {
  const only = readOnly(process.argv.slice(2));
  const program = ProgramModule.of(
    config,
    { eventStoreUrl: config.eventStoreUrl!, postgresUrl: config.postgresUrl! },
    logger,
  );
  const app = await NestFactory.createApplicationContext(
    {
      module: ProjectorProgram,
      imports: [program, ReadModelsModule, ProjectorModule.only(only)],
    },
    { logger: new NestLogger(logger), abortOnError: false },
  ).catch((error: unknown) => {
    if (error instanceof UnknownReadModel) throw new BadConfig(`--only: ${error.message}`);
    throw error;
  });
  const projected = app.get(Projections).named(only);
  say(`Projecting ${projected.map(({ name }) => name).join(', ')}. Ctrl-C stops it.`);
  return { stop: () => app.close() };
}, requireServers);

function requireServers(): void {
  if (!process.env['MACE_EVENTSTORE_URL'] || !process.env['MACE_POSTGRES_URL'])
    throw new BadConfig(
      'The projector works on servers that run elsewhere: set MACE_EVENTSTORE_URL and MACE_POSTGRES_URL.',
    );
}
