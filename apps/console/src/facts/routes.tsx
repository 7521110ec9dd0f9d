import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../shell/routes';

export const factRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/facts',
    component: lazyRouteComponent(() => import('./facts-page'), 'FactsPage'),
  }),
] as const;
