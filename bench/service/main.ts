import { runProgram, say } from '#platform/start/run.js';
import { openServers } from '#apps/api/platform/start/servers.js';
import { startService } from '#apps/api/service.js';
import { InsertWm } from '#apps/api/jobs/job-commands.js';
import { WmDoneDto } from '#apps/api/jobs/job-view.js';
import { Describes, Request } from '#apps/api/platform/http/request.js';
import { Controller, Module, Post } from '@nestjs/common';
import { PrivacyGate } from '#apps/api/privacy/privacy-gate.js';
import type { Json } from '#domain/json.js';

/**
 * Makes the privacy gate let every value pass unscanned, so that the bench can measure what the gate costs. The
 * product has no such switch: only a program that is built with this module has a gate without scans.
 */
@Module({})
class PassThroughGateModule {
  constructor(gate: PrivacyGate) {
    gate.inspect = () => Promise.resolve(undefined);
    gate.held = (_subject: string, value: Json) => Promise.resolve({ value });
  }
}

/** An insert into no job of anybody, so that no read of another's job is logged. */
@Describes({
  summary: 'Accept an insert and store nothing',
  roles: { all: ['agent', 'admin'] },
  answers: [201, WmDoneDto],
})
class InsertNothing extends InsertWm {}

/**
 * A route that accepts an insert and stores nothing. It has the same platform, token, path and body as
 * the real insert route, so it measures the cost of HTTP alone.
 */
@Controller('v1/ceiling')
class CeilingController {
  @Post(':seed/wm')
  insert(@Request() { seed }: InsertNothing) {
    return { wm_id: `wm:${seed}:1` };
  }
}

@Module({ controllers: [CeilingController] })
class CeilingCapability {}

// The service with an additional route that stores nothing, and without the work of the privacy gate if asked.
const more =
  process.env['BENCH_GATE'] === 'pass-through'
    ? [CeilingCapability, PassThroughGateModule]
    : [CeilingCapability];
await runProgram(async (config, logger) => {
  const servers = await openServers(config, logger);
  const service = await startService(config, servers, logger, more);
  say(`listening on ${service.url}`);
  return service;
});
