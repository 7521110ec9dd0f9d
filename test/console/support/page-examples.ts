/** The names of the things that the pages show. */
export interface PageWorld {
  readonly job: string;
  readonly request: string;
  readonly fact: string;
  readonly session: string;
  readonly memory: string;
  readonly log: string;
}

/** The path of each route with parameters, and of each route that shows something only with a search. */
const EXAMPLES: Readonly<Record<string, (world: PageWorld) => string>> = {
  '/jobs/$seed': ({ job }) => `/jobs/${job}`,
  '/jobs/compare': ({ job }) => `/jobs/compare?left=${job}&right=${job}`,
  '/requests/$id': ({ request }) => `/requests/${request}`,
  '/facts/$scope/$type/$id/$attribute': ({ fact }) => `/facts/${fact}`,
  '/spaces/$space/$owner': ({ session }) => `/spaces/session/${session}`,
  '/memory/$kind': () => '/memory/notes',
  '/memory/$kind/$id': ({ memory }) => `/memory/memories/${memory}`,
  '/memory/logs/$id': ({ log }) => `/memory/logs/${log}`,
  '/why': ({ fact }) => `/why?kind=fact&id=${fact}`,
  '/$': () => '/no/such/page',
  '/search': () => '/search?q=sky&explain=true',
};

/** Returns an address of a route; the empty text for a route with parameters that has no example. */
export function exampleOf(route: string, world: PageWorld): string {
  const example = EXAMPLES[route];
  if (example !== undefined) return example(world);
  return route.includes('$') ? '' : route;
}
