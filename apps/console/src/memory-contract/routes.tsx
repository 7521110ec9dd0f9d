import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../shell/routes';
import { spacesSearchOf, storeSearchOf } from './spaces-search';

export const spaceRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/spaces',
    validateSearch: spacesSearchOf,
    component: lazyRouteComponent(() => import('./spaces-page'), 'SpacesPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/spaces/$space/$owner',
    validateSearch: storeSearchOf,
    component: lazyRouteComponent(() => import('./store-page'), 'StorePage'),
  }),
] as const;
