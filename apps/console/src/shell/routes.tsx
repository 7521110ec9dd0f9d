import { createRootRoute, createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { storedSession } from '../session/session';
import { NotFound } from './not-found';
import { Shell } from './shell';

export const rootRoute = createRootRoute({ notFoundComponent: NotFound });

export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: (search: Record<string, unknown>): { readonly to?: string } =>
    typeof search['to'] === 'string' ? { to: search['to'] } : {},
  component: lazyRouteComponent(() => import('../sign-in/sign-in-page'), 'SignInPage'),
});

/** The frame of every page that needs a person. */
export const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shell',
  beforeLoad: ({ location }) => {
    if (storedSession() === undefined)
      // eslint-disable-next-line @typescript-eslint/only-throw-error -- the router takes a thrown redirect
      throw redirect({ to: '/sign-in', search: { to: location.href } });
  },
  component: Shell,
});
