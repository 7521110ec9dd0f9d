import { Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Request } from '../platform/http/request.js';
import { RequestController } from '../platform/request-controller.js';
import { ClaimKey } from './claim-key.js';
import { ResolveAlias } from './resolve-alias.js';

@ApiTags('sem')
@Controller('v1')
export class SemKeysController extends RequestController {
  @Post('sem-keys')
  claim(@Request() asked: ClaimKey) {
    return this.commands.execute(asked);
  }

  @Post('sem-aliases/resolve')
  resolve(@Request() asked: ResolveAlias) {
    return this.queries.execute(asked);
  }
}
