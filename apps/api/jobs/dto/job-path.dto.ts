import { SEED_PATTERN } from '#domain/determinism/ids.js';
import { Text, Whole } from '../../platform/http/fields.js';

const seed = { min: 1, max: 128, pattern: SEED_PATTERN };
const id = { min: 1, max: 256 };

export class JobPath {
  @Text(seed)
  seed!: string;
}

export class WmEntryPath extends JobPath {
  @Text(id)
  wm_id!: string;
}

export class CwmItemPath extends JobPath {
  @Text(id)
  item_id!: string;
}

export class JobVersionQuery {
  @Whole({
    optional: true,
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
    description: 'The state after that event; default: now (SPEC X3).',
  })
  version?: number;
}
