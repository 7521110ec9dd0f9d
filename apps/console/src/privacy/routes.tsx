import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../shell/routes';

const textIn = <Name extends string>(
  search: Record<string, unknown>,
  ...names: readonly Name[]
): { readonly [Field in Name]?: string } =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = search[name];
      return typeof value === 'string' && value !== '' ? [[name, value]] : [];
    }),
  ) as { readonly [Field in Name]?: string };

export const privacyRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/privacy',
    validateSearch: (search: Record<string, unknown>) => textIn(search, 'user', 'status'),
    component: lazyRouteComponent(() => import('./consents-page'), 'ConsentsPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/privacy/erasures',
    component: lazyRouteComponent(() => import('./erasures-page'), 'ErasuresPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/privacy/accesses',
    validateSearch: (search: Record<string, unknown>) => textIn(search, 'sub', 'stream'),
    component: lazyRouteComponent(() => import('./accesses-page'), 'AccessesPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/privacy/refusals',
    validateSearch: (search: Record<string, unknown>) => textIn(search, 'sub'),
    component: lazyRouteComponent(() => import('./refusals-page'), 'RefusalsPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/privacy/retention',
    component: lazyRouteComponent(() => import('./retention-page'), 'RetentionPage'),
  }),
] as const;
