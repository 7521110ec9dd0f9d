import type { components, paths } from './api.js';

/** The request and response bodies of the service, by their names in openapi.json. */
export type Schemas = components['schemas'];

/** The query parameters of a GET. */
export type QueryOf<Path extends keyof paths> = NonNullable<
  paths[Path]['get']['parameters']['query']
>;
