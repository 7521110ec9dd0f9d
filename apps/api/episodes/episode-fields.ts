import { Instant, UserIdText } from '../platform/http/fields.js';

/** Bounds of a time, inclusive. */
export class TimeWindow {
  @Instant({ optional: true }) from?: string;
  @Instant({ optional: true }) to?: string;
}

/** The user for whom an agent reads. */
export const ActedFor = (): PropertyDecorator =>
  UserIdText({
    optional: true,
    description: 'The user that an agent’s token without a user acts for.',
  });
