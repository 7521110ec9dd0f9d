import { EventNumber, OneOf, Text, Whole } from '../../../platform/http/fields.js';

export class EventsQuery {
  @EventNumber({ optional: true }) from?: number;
  @Whole({ optional: true, min: 1, max: 1_000 }) limit?: number;
  @OneOf(['json', 'plain'], { optional: true }) format?: 'json' | 'plain';

  @Whole({
    ...{ optional: true, min: 0, max: 2_147_483_647 },
    description: 'Leaves out this many events from `from` on.',
  })
  skip?: number;

  @Text({
    ...{ optional: true, min: 1, max: 1_000, pattern: /^[a-z_]+(,[a-z_]+)*$/ },
    description: 'Only events of these types, separated by commas.',
  })
  types?: string;

  @OneOf(['input', 'outcome'], { optional: true }) kind?: 'input' | 'outcome';

  @EventNumber({ optional: true, description: 'Only events of this tick or a later one.' })
  from_tick?: number;

  @EventNumber({ optional: true, description: 'Only events of this tick or an earlier one.' })
  to_tick?: number;

  @Text({
    ...{ optional: true, min: 1, max: 200 },
    description:
      'Only events whose type, data or metadata contain this text. Upper and lower case are the same.',
  })
  text?: string;
}
