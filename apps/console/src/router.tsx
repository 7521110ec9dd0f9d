import { createRouter } from '@tanstack/react-router';
import { bundleRoutes } from './bundle/routes';
import { factRoutes } from './sem/routes';
import { homeRoutes } from './home/routes';
import { integrityRoutes } from './integrity/routes';
import { jobRoutes } from './jobs/routes';
import { privacyRoutes } from './privacy/routes';
import { requestRoutes } from './action-requests/routes';
import { searchRoutes } from './search/routes';
import { rootRoute, shellRoute, signInRoute } from './shell/routes';
import { spaceRoutes } from './memory-contract/routes';
import { ErrorNotice } from './ui/error-notice';
import { Loading } from './ui/loading';
import { whyRoutes } from './why/routes';

const routeTree = rootRoute.addChildren([
  signInRoute,
  ...bundleRoutes,
  shellRoute.addChildren([
    ...homeRoutes,
    ...requestRoutes,
    ...jobRoutes,
    ...factRoutes,
    ...whyRoutes,
    ...spaceRoutes,
    ...searchRoutes,
    ...integrityRoutes,
    ...privacyRoutes,
  ]),
]);

export const router = createRouter({
  routeTree,
  basepath: '/console',
  defaultPreload: 'intent',
  defaultErrorComponent: ({ error }) => <ErrorNotice error={error} />,
  defaultPendingComponent: Loading,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
