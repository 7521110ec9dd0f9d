import type { components, paths } from './api.js';

/** The bodies and answers of the service, by the names that they have in openapi.json. */
export type Schemas = components['schemas'];

/** What a GET takes in its query. */
export type QueryOf<Path extends keyof paths> = NonNullable<
  paths[Path]['get']['parameters']['query']
>;
