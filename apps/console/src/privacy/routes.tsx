import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../shell/routes';

export const privacyRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/privacy',
    component: lazyRouteComponent(() => import('./privacy-page'), 'PrivacyPage'),
  }),
] as const;
