import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../shell/routes';

export const requestRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/requests',
    component: lazyRouteComponent(() => import('./queue-page'), 'QueuePage'),
  }),
] as const;
