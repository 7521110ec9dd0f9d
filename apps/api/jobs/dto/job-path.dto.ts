import { UnredactedQuery } from '../../privacy/dto/unredacted.dto.js';
import { EventNumber, IdText, SeedText } from '../../platform/http/fields.js';

export class JobPath {
  @SeedText()
  seed!: string;
}

export class WmEntryPath extends JobPath {
  @IdText()
  wm_id!: string;
}

export class CwmItemPath extends JobPath {
  @IdText()
  item_id!: string;
}

export class JobVersionQuery extends UnredactedQuery {
  @EventNumber({
    optional: true,
    description: 'The state after that event; default: the current state (SPEC X3).',
  })
  version?: number;
}
