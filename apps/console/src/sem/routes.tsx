import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../shell/routes';
import { factSearchOf, factsSearchOf } from './facts-search';

export const factRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/facts',
    validateSearch: factsSearchOf,
    component: lazyRouteComponent(() => import('./facts-page'), 'FactsPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/facts/$scope/$type/$id/$attribute',
    validateSearch: factSearchOf,
    component: lazyRouteComponent(() => import('./fact-page'), 'FactPage'),
  }),
] as const;
