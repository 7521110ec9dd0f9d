import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Request } from '../platform/http/request.js';
import { RequestController } from '../platform/request-controller.js';
import { ExportMoment } from './export-moment.js';
import { GetPosition } from './get-position.js';

@ApiTags('audit')
@Controller('v1/positions')
export class PositionsController extends RequestController {
  @Get()
  at(@Request() asked: GetPosition) {
    return this.queries.execute(asked);
  }

  @Get('bundle')
  bundle(@Request() asked: ExportMoment) {
    return this.queries.execute(asked);
  }
}
