import { Body, Controller, Module, Param, Post } from '@nestjs/common';
import { WmInsertDto } from '#apps/api/jobs/dto/job-operations.dto.js';
import { JobPath } from '#apps/api/jobs/dto/job-path.dto.js';
import { Caller } from '#apps/api/platform/auth/caller.decorator.js';
import { Roles } from '#apps/api/platform/auth/roles.js';
import { Identity, type RequestIdentity } from '#apps/api/platform/http/identity.decorator.js';
import type { Actor } from '#domain/recorded-event.js';

/**
 * A route that accepts an insert and stores nothing. It has the same platform, token, path and body as
 * the real insert route, so it measures the cost of HTTP alone.
 */
@Controller('v1/ceiling')
class CeilingController {
  @Post(':seed/wm')
  @Roles({ all: ['agent', 'admin'] })
  insert(
    @Caller() _actor: Actor,
    @Identity() _identity: RequestIdentity,
    @Param() { seed }: JobPath,
    @Body() _body: WmInsertDto,
  ) {
    return { wm_id: `wm:${seed}:1` };
  }
}

@Module({ controllers: [CeilingController] })
export class CeilingCapability {}
