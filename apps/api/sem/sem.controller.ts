import { Controller, Delete, Get, Put, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Request } from '../platform/http/request.js';
import { RequestController } from '../platform/request-controller.js';
import { DeleteFact } from './delete-fact.js';
import { GetFact } from './get-fact.js';
import { PutFact } from './put-fact.js';
import { ReadFactHistory } from './read-fact-history.js';
import { SearchFacts } from './search-facts.js';
import { ClaimKey } from './claim-key.js';
import { ResolveAlias } from './resolve-alias.js';
import { GetSemSnapshot } from './get-sem-snapshot.js';

@ApiTags('sem')
@Controller('v1/sem')
export class SemController extends RequestController {
  @Get()
  search(@Request() search: SearchFacts) {
    return this.queries.execute(search);
  }

  @Get(':scope/:entity_type/:entity_id/:attribute')
  get(@Request() asked: GetFact) {
    return this.queries.execute(asked);
  }

  @Get(':scope/:entity_type/:entity_id/:attribute/history')
  history(@Request() asked: ReadFactHistory) {
    return this.queries.execute(asked);
  }

  @Put(':scope/:entity_type/:entity_id/:attribute')
  put(@Request() fact: PutFact) {
    return this.commands.execute(fact);
  }

  @Delete(':scope/:entity_type/:entity_id/:attribute')
  delete(@Request() fact: DeleteFact) {
    return this.commands.execute(fact);
  }
}

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

@ApiTags('sem')
@Controller('v1/sem-snapshots')
export class SemSnapshotsController extends RequestController {
  @Get(':id')
  get(@Request() asked: GetSemSnapshot) {
    return this.queries.execute(asked);
  }
}
