import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { VERSION } from './version.js';

const DESCRIPTION = `Event-sourced memory for agent runtimes: every change is an event, every replay comes out identical.

Every write answers \`Mace-Position\`; a read with \`Mace-Min-Position\` waits for it. Any POST or PUT takes an
\`Idempotency-Key\`. Every failure is one envelope: error_code, status, severity, user_message,
developer_message and meta (query_id, timestamp, trace_id).`;

/** `/docs` and `/openapi.json`, made at the first look; nothing is loaded from elsewhere. */
export function describe(app: INestApplication): void {
  const page = new DocumentBuilder()
    .setTitle('MACE Memory')
    .setDescription(DESCRIPTION)
    .setVersion(VERSION)
    .addBearerAuth()
    .addSecurityRequirements('bearer')
    .build();
  SwaggerModule.setup('docs', app, () => SwaggerModule.createDocument(app, page), {
    jsonDocumentUrl: 'openapi.json',
    customSiteTitle: 'MACE Memory',
  });
}
