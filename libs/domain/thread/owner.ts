import { subjectOfUser } from '../privacy/subject.js';
import type { ThreadName } from './events.js';

/** Returns the owner of a thread, as `privateOwnerOf` returns it for its callers. */
export const ownerOfThread = ({ owner: { sub, user_id } }: ThreadName): string =>
  user_id === null ? `sub:${sub}` : subjectOfUser(user_id);
