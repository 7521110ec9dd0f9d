import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { replaySearchOf } from '../jobs/replay/replay-search';
import { rootRoute } from '../shell/routes';

/** The page for an exported bundle or a receipt needs no session: an auditor may have nothing but the file. */
export const bundleRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/bundle',
    validateSearch: replaySearchOf,
    component: lazyRouteComponent(() => import('./bundle-page'), 'BundlePage'),
  }),
] as const;
