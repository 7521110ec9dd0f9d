import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../shell/routes';
import { searchSearchOf } from './search-search';

export const searchRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/search',
    validateSearch: searchSearchOf,
    component: lazyRouteComponent(() => import('./search-page'), 'SearchPage'),
  }),
] as const;
