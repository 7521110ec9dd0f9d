import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../shell/routes';

/** The opened entry of the quarantine. */
interface QuarantineSearch {
  readonly entry?: string;
}

export const integrityRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/integrity',
    component: lazyRouteComponent(() => import('./verification-page'), 'VerificationPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/integrity/quarantine',
    validateSearch: ({ entry }: Record<string, unknown>): QuarantineSearch =>
      typeof entry === 'string' ? { entry } : {},
    component: lazyRouteComponent(() => import('./quarantine-page'), 'QuarantinePage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/integrity/projections',
    component: lazyRouteComponent(() => import('./projections-page'), 'ProjectionsPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/integrity/storage',
    component: lazyRouteComponent(() => import('./storage-page'), 'StoragePage'),
  }),
] as const;
