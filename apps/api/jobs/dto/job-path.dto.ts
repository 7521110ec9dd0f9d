import { SEED_PATTERN } from '#domain/determinism/ids.js';
import { EventNumber, IdText, Text } from '../../platform/http/fields.js';

const seed = { min: 1, max: 128, pattern: SEED_PATTERN };

export class JobPath {
  @Text(seed)
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

export class JobVersionQuery {
  @EventNumber({
    optional: true,
    description: 'The state after that event; default: now (SPEC X3).',
  })
  version?: number;
}
