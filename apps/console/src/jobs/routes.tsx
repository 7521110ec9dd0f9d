import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../shell/routes';

export const jobRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/jobs',
    component: lazyRouteComponent(() => import('./jobs-page'), 'JobsPage'),
  }),
] as const;
