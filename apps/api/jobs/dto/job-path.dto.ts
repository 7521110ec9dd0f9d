import { SeedText } from '../../platform/http/fields.js';

export class JobPath {
  @SeedText() seed!: string;
}
