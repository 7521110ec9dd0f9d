import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../shell/routes';

export const searchRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/search',
    component: lazyRouteComponent(() => import('./search-page'), 'SearchPage'),
  }),
] as const;
