import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../shell/routes';
import { figuresSearchOf } from './figures-search';
import { queueSearchOf } from './queue-search';

export const requestRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/requests',
    validateSearch: queueSearchOf,
    component: lazyRouteComponent(() => import('./queue-page'), 'QueuePage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/requests/figures',
    validateSearch: figuresSearchOf,
    component: lazyRouteComponent(() => import('./figures-page'), 'FiguresPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/requests/$id',
    validateSearch: queueSearchOf,
    component: lazyRouteComponent(() => import('./request-page'), 'RequestPage'),
  }),
] as const;
