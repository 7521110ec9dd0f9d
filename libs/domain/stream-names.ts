import { foldUserId, userEntityId, userSlug } from './canonical-key/canonical-key.js';
import { keyedHashJson, sha256Hex } from './determinism/hash.js';
import type { Json } from './json.js';
import type { Space } from './memory-contract/item.js';

/** Makes and parses the names of one kind of stream: `<category>-<id>`. */
const streams = (category: string, idOf = (id: string): string => id) => ({
  nameOf: (id: string): string => `${category}-${idOf(id)}`,
  idIn: (stream: string): string => stream.slice(category.length + 1),
  has: (stream: string): boolean => stream.startsWith(`${category}-`),
});

const callerDigest = (sub: string): string => sha256Hex(sub).slice(0, 16);

/**
 * The categories of streams. A stream's name never changes. `streamName` makes the names of notes, conversations,
 * threads and memories, which hide what they name.
 */
const STREAMS = {
  job: streams('job'),
  session: streams('session'),
  sem: streams('sem'),
  memory: streams('memory'),
  request: streams('request'),
  reflective: streams('reflective'),
  quarantine: streams('quarantine'),
  owner: streams('owner'),
  consent: streams('consent'),
  command: streams('command'),
  checkpoint: streams('checkpoint'),
  audit: streams('audit', callerDigest),
  router: streams('router', callerDigest),
};

/** The stream with the log's id, which no other log has, and its naming key. */
export const LOG_IDENTITY_STREAM = 'log-identity';

/** Returns the part of a stream's name before the first `-`; the whole name if it has no `-`. */
export const categoryOf = (stream: string): string => {
  const end = stream.indexOf('-');
  return end < 0 ? stream : stream.slice(0, end);
};

export const jobStream = STREAMS.job.nameOf;
export const seedOfJobStream = STREAMS.job.idIn;

export const sessionStream = STREAMS.session.nameOf;
export const idOfSessionStream = STREAMS.session.idIn;

export const semStream = STREAMS.sem.nameOf;
export const keyOfSemStream = STREAMS.sem.idIn;
export const isSemStream = STREAMS.sem.has;

export const requestStream = STREAMS.request.nameOf;
export const idOfRequestStream = STREAMS.request.idIn;

export const reflectiveStream = STREAMS.reflective.nameOf;
export const idOfReflectiveStream = STREAMS.reflective.idIn;
export const isReflectiveStream = STREAMS.reflective.has;

export const checkpointStream = STREAMS.checkpoint.nameOf;
export const idOfCheckpointStream = STREAMS.checkpoint.idIn;
export const isCheckpointStream = STREAMS.checkpoint.has;

export const quarantineStream = STREAMS.quarantine.nameOf;
export const commandStream = STREAMS.command.nameOf;

/** The stream of a caller's refused commands (SPEC I1). */
export const auditStream = STREAMS.audit.nameOf;
export const routerStream = STREAMS.router.nameOf;

/** Returns the stream of the store with this key, `<space>:<owner>`. */
export const storeStream = STREAMS.memory.nameOf;
export const memoryStream = (space: Space, owner: string): string =>
  storeStream(`${space}:${owner}`);

/** Returns the space and owner of a store's stream: the inverse of `memoryStream`. */
export function storeOfStream(stream: string): { readonly space: Space; readonly owner: string } {
  const key = STREAMS.memory.idIn(stream);
  const colon = key.indexOf(':');
  return { space: key.slice(0, colon) as Space, owner: key.slice(colon + 1) };
}

/** Returns the stream of a user's consents. The user must own the slug (SPEC I9). */
export const consentStream = (userId: string): string =>
  STREAMS.consent.nameOf(userEntityId(userId));

export const streamOfConsent = (consentId: string): string =>
  STREAMS.consent.nameOf(consentId.slice(0, consentId.lastIndexOf('.')));

export const slugOfOwnerStream = STREAMS.owner.idIn;
export const ownerStream = (rawUserId: string): string => STREAMS.owner.nameOf(userSlug(rawUserId));

/** Returns the owner stream of an entity id in scope `user`: `user_` and the slug (SPEC K3). */
export const ownerStreamOf = (entityId: string): string =>
  STREAMS.owner.nameOf(entityId.replace(/^user_/, ''));

/**
 * Returns the owner stream of a store name. Store names are not slugs: raw ids that share a store name
 * can have different slugs, and the reverse (SPEC M2).
 */
export const storeOwnerStream = (space: 'session' | 'user', owner: string): string =>
  STREAMS.owner.nameOf(`${space}:${owner}`);

export const CASE_CLAIMS = 'cases:';

/**
 * Returns the owner stream in which the first user with a form of `foldUserId` claims it, so that no other user shares
 * the names that are made from it.
 */
export const caseClaimStream = (rawUserId: string): string =>
  STREAMS.owner.nameOf(`${CASE_CLAIMS}${foldUserId(rawUserId)}`);

/**
 * Returns `<category>-<64 hex digits>`: an HMAC-SHA256 over what the stream belongs to, under the log's naming key. A
 * stream's name cannot be erased, so nothing that a person chose stands in it.
 */
export const streamName = (
  key: Uint8Array,
  category: 'note' | 'conversation' | 'thread' | 'remembered',
  parts: readonly Json[],
): string => `${category}-${keyedHashJson(key, [category, ...parts])}`;

/** Returns the digest by which two wrapped forms of a naming key are compared. */
export const namingKeyDigest = (key: Uint8Array): string => keyedHashJson(key, 'naming key');
