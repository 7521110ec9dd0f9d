import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../shell/routes';
import { whySearchOf } from './why-search';

export const whyRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/why',
    validateSearch: whySearchOf,
    component: lazyRouteComponent(() => import('./why-page'), 'WhyPage'),
  }),
] as const;
