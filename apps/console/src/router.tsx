import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
  retainSearchParams,
} from '@tanstack/react-router';
import { figuresSearchOf } from './action-requests/figures-search';
import { queueSearchOf } from './action-requests/queue-search';
import { given, textIn } from './data/search-params';
import { compareSearchOf } from './jobs/compare/compare-search';
import { jobsSearchOf } from './jobs/jobs-search';
import { replaySearchOf } from './jobs/replay/replay-search';
import { spacesSearchOf, storeSearchOf } from './memory-contract/spaces-search';
import { momentSearchOf } from './moment/moment-search';
import { personSearchOf } from './person/person-search';
import { searchSearchOf } from './search/search-search';
import { factSearchOf, factsSearchOf } from './sem/facts-search';
import { storedSession } from './session/session';
import { NotFound } from './shell/not-found';
import { Shell } from './shell/shell';
import { ErrorNotice } from './ui/error-notice';
import { Loading } from './ui/loading';
import { whySearchOf } from './why/why-search';

type Search = Record<string, unknown>;

const ownerIn = ({ owner }: Search) => given({ owner: textIn(owner) });

/** Every link and every navigation keeps the moment that the pages show, unless it names another. */
const rootRoute = createRootRoute({
  validateSearch: momentSearchOf,
  search: { middlewares: [retainSearchParams(['moment'])] },
});
const inRoot = { getParentRoute: () => rootRoute } as const;

const signInRoute = createRoute({
  ...inRoot,
  path: '/sign-in',
  validateSearch: ({ to }: Search): { readonly to?: string } =>
    typeof to === 'string' ? { to } : {},
  component: lazyRouteComponent(() => import('./sign-in/sign-in-page'), 'SignInPage'),
});

/** The page for an exported bundle or a receipt needs no session: an auditor may have nothing but the file. */
const bundleRoute = createRoute({
  ...inRoot,
  path: '/bundle',
  validateSearch: replaySearchOf,
  component: lazyRouteComponent(() => import('./bundle/bundle-page'), 'BundlePage'),
});

/** The frame of every page that needs a person. */
const shellRoute = createRoute({
  ...inRoot,
  id: 'shell',
  beforeLoad: ({ location }) => {
    if (storedSession() === undefined)
      // eslint-disable-next-line @typescript-eslint/only-throw-error -- the router takes a thrown redirect
      throw redirect({ to: '/sign-in', search: { to: location.href } });
  },
  component: Shell,
});
const inShell = { getParentRoute: () => shellRoute } as const;

const pages = [
  createRoute({
    ...inShell,
    path: '/',
    component: lazyRouteComponent(() => import('./home/start-page'), 'StartPage'),
  }),
  createRoute({
    ...inShell,
    path: '/requests',
    staticData: { hasPast: true },
    validateSearch: queueSearchOf,
    component: lazyRouteComponent(() => import('./action-requests/queue-page'), 'QueuePage'),
  }),
  createRoute({
    ...inShell,
    path: '/requests/figures',
    validateSearch: figuresSearchOf,
    component: lazyRouteComponent(() => import('./action-requests/figures-page'), 'FiguresPage'),
  }),
  createRoute({
    ...inShell,
    path: '/requests/$id',
    staticData: { hasPast: true },
    validateSearch: queueSearchOf,
    component: lazyRouteComponent(() => import('./action-requests/request-page'), 'RequestPage'),
  }),
  createRoute({
    ...inShell,
    path: '/jobs',
    staticData: { hasPast: true },
    validateSearch: jobsSearchOf,
    component: lazyRouteComponent(() => import('./jobs/jobs-page'), 'JobsPage'),
  }),
  createRoute({
    ...inShell,
    path: '/jobs/compare',
    validateSearch: compareSearchOf,
    component: lazyRouteComponent(() => import('./jobs/compare/compare-page'), 'ComparePage'),
  }),
  createRoute({
    ...inShell,
    path: '/jobs/$seed',
    staticData: { hasPast: true },
    validateSearch: replaySearchOf,
    component: lazyRouteComponent(() => import('./jobs/job-page'), 'JobPage'),
  }),
  createRoute({
    ...inShell,
    path: '/facts',
    staticData: { hasPast: true },
    validateSearch: factsSearchOf,
    component: lazyRouteComponent(() => import('./sem/facts-page'), 'FactsPage'),
  }),
  createRoute({
    ...inShell,
    path: '/facts/$scope/$type/$id/$attribute',
    staticData: { hasPast: true },
    validateSearch: factSearchOf,
    component: lazyRouteComponent(() => import('./sem/fact-page'), 'FactPage'),
  }),
  createRoute({
    ...inShell,
    path: '/why',
    validateSearch: whySearchOf,
    staticData: { hasPast: true },
    component: lazyRouteComponent(() => import('./why/why-page'), 'WhyPage'),
  }),
  createRoute({
    ...inShell,
    path: '/person',
    staticData: { hasPast: true },
    validateSearch: personSearchOf,
    component: lazyRouteComponent(() => import('./person/person-page'), 'PersonPage'),
  }),
  createRoute({
    ...inShell,
    path: '/spaces',
    staticData: { hasPast: true },
    validateSearch: spacesSearchOf,
    component: lazyRouteComponent(() => import('./memory-contract/spaces-page'), 'SpacesPage'),
  }),
  createRoute({
    ...inShell,
    path: '/spaces/$space/$owner',
    staticData: { hasPast: true },
    validateSearch: storeSearchOf,
    component: lazyRouteComponent(() => import('./memory-contract/store-page'), 'StorePage'),
  }),
  // A list of memories has a past; the lists of the other records show the present.
  createRoute({
    ...inShell,
    path: '/memory',
    staticData: { hasPast: true },
    validateSearch: ownerIn,
    component: lazyRouteComponent(() => import('./records/records-page'), 'RecordsPage'),
  }),
  createRoute({
    ...inShell,
    path: '/memory/$kind',
    validateSearch: ownerIn,
    component: lazyRouteComponent(() => import('./records/records-page'), 'RecordsPage'),
  }),
  createRoute({
    ...inShell,
    path: '/memory/logs/$id',
    component: lazyRouteComponent(() => import('./records/record-page'), 'RecordPage'),
  }),
  createRoute({
    ...inShell,
    path: '/memory/$kind/$id',
    staticData: { hasPast: true },
    validateSearch: ownerIn,
    component: lazyRouteComponent(() => import('./records/record-page'), 'RecordPage'),
  }),
  createRoute({
    ...inShell,
    path: '/search',
    staticData: { hasPast: true },
    validateSearch: searchSearchOf,
    component: lazyRouteComponent(() => import('./search/search-page'), 'SearchPage'),
  }),
  createRoute({
    ...inShell,
    path: '/integrity',
    component: lazyRouteComponent(
      () => import('./integrity/verification-page'),
      'VerificationPage',
    ),
  }),
  createRoute({
    ...inShell,
    path: '/integrity/checkpoints',
    component: lazyRouteComponent(() => import('./integrity/checkpoints-page'), 'CheckpointsPage'),
  }),
  createRoute({
    ...inShell,
    path: '/integrity/quarantine',
    validateSearch: ({ entry }: Search) => given({ entry: textIn(entry) }),
    component: lazyRouteComponent(() => import('./integrity/quarantine-page'), 'QuarantinePage'),
  }),
  createRoute({
    ...inShell,
    path: '/integrity/projections',
    component: lazyRouteComponent(() => import('./integrity/projections-page'), 'ProjectionsPage'),
  }),
  createRoute({
    ...inShell,
    path: '/integrity/storage',
    component: lazyRouteComponent(() => import('./integrity/storage-page'), 'StoragePage'),
  }),
  createRoute({
    ...inShell,
    path: '/privacy',
    staticData: { hasPast: true },
    validateSearch: ({ user, status }: Search) =>
      given({ user: textIn(user), status: textIn(status) }),
    component: lazyRouteComponent(() => import('./privacy/consents-page'), 'ConsentsPage'),
  }),
  createRoute({
    ...inShell,
    path: '/privacy/erasures',
    component: lazyRouteComponent(() => import('./privacy/erasures-page'), 'ErasuresPage'),
  }),
  createRoute({
    ...inShell,
    path: '/privacy/accesses',
    staticData: { hasPast: true },
    validateSearch: ({ sub, stream, user_id }: Search) =>
      given({ sub: textIn(sub), stream: textIn(stream), user_id: textIn(user_id) }),
    component: lazyRouteComponent(() => import('./privacy/accesses-page'), 'AccessesPage'),
  }),
  createRoute({
    ...inShell,
    path: '/privacy/refusals',
    validateSearch: ({ sub }: Search) => given({ sub: textIn(sub) }),
    component: lazyRouteComponent(() => import('./privacy/refusals-page'), 'RefusalsPage'),
  }),
  createRoute({
    ...inShell,
    path: '/privacy/retention',
    component: lazyRouteComponent(() => import('./privacy/retention-page'), 'RetentionPage'),
  }),
  // Every other address: the navigation stays, so that a person can go on.
  createRoute({ ...inShell, path: '$', component: NotFound }),
] as const;

export const router = createRouter({
  routeTree: rootRoute.addChildren([signInRoute, bundleRoute, shellRoute.addChildren(pages)]),
  basepath: '/console',
  defaultPreload: 'intent',
  defaultErrorComponent: ({ error }) => <ErrorNotice error={error} />,
  defaultPendingComponent: Loading,
  scrollRestoration: true,
  // What a page selects of its address is the same object until it changes.
  defaultStructuralSharing: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
