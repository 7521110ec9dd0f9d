import { Text, UserIdText } from '../../platform/http/fields.js';

export class SemKeyDto {
  @Text({ min: 1, max: 256 })
  scope!: string;

  @Text({ min: 1, max: 256 })
  entity_type!: string;

  @Text({ optional: true, min: 1, max: 16_000, description: 'A title in a person’s words.' })
  entity_id?: string;

  @Text({ min: 1, max: 1_024 })
  attribute!: string;

  @UserIdText({ optional: true })
  user_id?: string;
}

export class ResolveAliasDto {
  @Text({ max: 16_000 })
  text!: string;

  @UserIdText({ optional: true })
  user_id?: string;
}
