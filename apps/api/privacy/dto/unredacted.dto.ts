import { OneOf } from '../../platform/http/fields.js';

/** The option of reads that can show personal data (SPEC G7). */
export class UnredactedQuery {
  @OneOf(['true'], {
    optional: true,
    description:
      'Shows sealed personal data, to admins and the council only. Each such read is recorded in their audit stream.',
  })
  unredacted?: 'true';
}
