import type { Role } from '../session/session';

/** A page of the navigation, the key that follows `g`, and the roles that may use it. */
interface Page {
  readonly to:
    | '/'
    | '/requests'
    | '/jobs'
    | '/facts'
    | '/spaces'
    | '/memory'
    | '/search'
    | '/integrity'
    | '/privacy';
  readonly name: string;
  readonly key: string;
  readonly roles: readonly Role[];
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** True where the person went by the navigation, a key or its list, and not by a link of the page before. */
    readonly isElsewhere?: true;
  }
}

/** The options of a step to a page that a reader chose anew, so not by a link on the page before. */
export const ELSEWHERE = { state: { isElsewhere: true } } as const;

const EVERYBODY: readonly Role[] = ['agent', 'user', 'council', 'admin', 'auditor'];

/** The navigation, in its order. The service refuses what a role may not do, whatever the console shows. */
export const PAGES: readonly Page[] = [
  { to: '/', name: 'Start', key: 's', roles: EVERYBODY },
  { to: '/requests', name: 'Requests', key: 'r', roles: ['council', 'admin', 'auditor'] },
  { to: '/jobs', name: 'Jobs', key: 'j', roles: ['auditor', 'admin', 'council', 'agent'] },
  { to: '/facts', name: 'Facts', key: 'f', roles: EVERYBODY },
  { to: '/spaces', name: 'Spaces', key: 'a', roles: ['agent', 'auditor', 'admin', 'council'] },
  { to: '/memory', name: 'Memory', key: 'm', roles: EVERYBODY },
  { to: '/search', name: 'Search', key: 'e', roles: EVERYBODY },
  { to: '/integrity', name: 'Integrity', key: 'i', roles: ['auditor', 'admin'] },
  { to: '/privacy', name: 'Privacy', key: 'p', roles: EVERYBODY },
];
