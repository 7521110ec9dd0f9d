import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../shell/routes';

export const spaceRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/spaces',
    component: lazyRouteComponent(() => import('./spaces-page'), 'SpacesPage'),
  }),
] as const;
