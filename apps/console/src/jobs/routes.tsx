import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../shell/routes';
import { jobsSearchOf } from './jobs-search';
import { replaySearchOf } from './replay/replay-search';

export const jobRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/jobs',
    validateSearch: jobsSearchOf,
    component: lazyRouteComponent(() => import('./jobs-page'), 'JobsPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/jobs/$seed',
    validateSearch: replaySearchOf,
    component: lazyRouteComponent(() => import('./job-page'), 'JobPage'),
  }),
] as const;
