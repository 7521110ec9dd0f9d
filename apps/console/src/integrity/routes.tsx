import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../shell/routes';

export const integrityRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/integrity',
    component: lazyRouteComponent(() => import('./integrity-page'), 'IntegrityPage'),
  }),
] as const;
