import type { Role } from '../session/session';

/** A page of the navigation, and the roles that may use it. */
export interface Page {
  readonly to:
    '/' | '/requests' | '/jobs' | '/facts' | '/spaces' | '/search' | '/integrity' | '/privacy';
  readonly name: string;
  readonly roles: readonly Role[];
}

const EVERYBODY: readonly Role[] = ['agent', 'user', 'council', 'admin', 'auditor'];

/** The navigation, in its order. The service refuses what a role may not do, whatever the console shows. */
export const PAGES: readonly Page[] = [
  { to: '/', name: 'Start', roles: EVERYBODY },
  { to: '/requests', name: 'Requests', roles: ['council', 'admin', 'auditor'] },
  { to: '/jobs', name: 'Jobs', roles: ['auditor', 'admin', 'council', 'agent'] },
  { to: '/facts', name: 'Facts', roles: EVERYBODY },
  { to: '/spaces', name: 'Spaces', roles: ['agent', 'auditor', 'admin', 'council'] },
  { to: '/search', name: 'Search', roles: EVERYBODY },
  { to: '/integrity', name: 'Integrity', roles: ['auditor', 'admin'] },
  { to: '/privacy', name: 'Privacy', roles: EVERYBODY },
];
