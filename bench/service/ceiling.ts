import { Controller, Module, Post } from '@nestjs/common';
import { InsertWm } from '#apps/api/jobs/job-commands.js';
import { Request } from '#apps/api/platform/http/request.js';

/**
 * A route that accepts an insert and stores nothing. It has the same platform, token, path and body as
 * the real insert route, so it measures the cost of HTTP alone.
 */
@Controller('v1/ceiling')
class CeilingController {
  @Post(':seed/wm')
  insert(@Request() { seed }: InsertWm) {
    return { wm_id: `wm:${seed}:1` };
  }
}

@Module({ controllers: [CeilingController] })
export class CeilingCapability {}
