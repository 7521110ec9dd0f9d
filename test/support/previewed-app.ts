import type { INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { Logger } from 'pino';
import { AppModule, type Capabilities } from '#apps/api/app.module.js';
import type { ServiceConfig } from '#platform/config/service-config.js';

/** Returns the whole service with all decorators, in Nest's preview mode, which starts nothing. */
export const previewedApp = (more: Capabilities = []): Promise<INestApplication> => {
  const config = { signingKey: '-', oldSigningKeys: [], dataDir: '-', projections: 'external' };
  return NestFactory.create(
    AppModule.of(config as unknown as ServiceConfig, {} as never, {} as Logger, more),
    new FastifyAdapter(),
    { preview: true, logger: ['error'], abortOnError: false },
  );
};
