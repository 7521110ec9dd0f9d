import { bodyOf } from './arguments.js';
import type { QueryOf, Schemas } from './schemas.js';
import type { ReadOptions, Transport } from './transport.js';

/** What can be asked about: a fact by its key, an episode or an item by its id, a note by its stream. */
export type WhyThing = QueryOf<'/v1/why'>;

/** Where something in memory came from. */
export type Why = Schemas['WhyDto'];

/** A read that a job recorded. */
export type RecordedRead = Schemas['WhyReadDto'];

/** Which page of a list to read. */
interface Page {
  readonly cursor?: string;
  readonly limit?: number;
}

/** Where things in memory came from, and who read them. Fails as a read of the thing does. */
export class WhyQueries {
  constructor(private readonly transport: Transport) {}

  /** Returns the event, the request, the episode, the job and the session behind a thing, and its way between spaces. */
  of(thing: WhyThing, options?: ReadOptions): Promise<Why> {
    return this.transport.get('/v1/why', { ...bodyOf('thing', thing, 'GET /v1/why') }, options);
  }

  /** Returns one page of the reads of a thing that jobs recorded, newest first. An owner gets those of its own jobs. */
  reads(
    thing: WhyThing,
    page: Page = {},
    options?: ReadOptions,
  ): Promise<Schemas['WhyReadsPageDto']> {
    return this.transport.get(
      '/v1/why/reads',
      {
        ...bodyOf('thing', thing, 'GET /v1/why'),
        ...bodyOf('page?', page, 'GET /v1/why/reads', ['kind', 'id', 'at']),
      },
      options,
    );
  }

  /** Returns one page of the unredacted reads of the stream that holds a thing, newest first. */
  accesses(
    thing: WhyThing,
    page: Page = {},
    options?: ReadOptions,
  ): Promise<Schemas['AdminAccessesPageDto']> {
    return this.transport.get(
      '/v1/why/accesses',
      {
        ...bodyOf('thing', thing, 'GET /v1/why'),
        ...bodyOf('page?', page, 'GET /v1/why/accesses', ['kind', 'id', 'at']),
      },
      options,
    );
  }
}
