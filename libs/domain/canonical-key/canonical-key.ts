import { sha1Hex } from '../determinism/hash.js';
import type { Teaching } from '../errors/help.js';
import { Refusal } from '../errors/refusal.js';
import { cutSlug, MAX_COMPONENT, normalize, openSlug, slug } from './slug.js';

export const KEY_SCOPES = ['user', 'world', 'mace', 'agent', 'system', 'config'] as const;
type KeyScope = (typeof KEY_SCOPES)[number];

/** The four components of `scope/entity_type/entity_id/attribute` (SPEC K1). */
interface KeyParts {
  readonly scope: KeyScope;
  readonly entity_type: string;
  readonly entity_id: string;
  readonly attribute: string;
}

const KEY = /^([a-z0-9_]+)\/([a-z0-9_]+)\/([a-z0-9_-]+)\/([a-z0-9_]+)$/;
const PREFIX = /^[a-z0-9_]*(?:\/[a-z0-9_]*(?:\/[a-z0-9_-]*(?:\/[a-z0-9_]*)?)?)?$/;
const MAX_KEY = 256;
/** The maximum characters of an entity's slug. A longer slug is cut and ends with a hash (SPEC K3). */
const MAX_SLUG = 48;
const MAX_TITLE = 16_384;

const invalid = (reason: string): Refusal => new Refusal('INVALID_INPUT', { reason });

const isScope = (text: string): text is KeyScope => KEY_SCOPES.some((scope) => scope === text);

/** What a canonical key is, for callers who wrote another text. */
const GRAMMAR =
  `The scope is one of ${KEY_SCOPES.join(', ')}. The other parts have 1 to ${MAX_COMPONENT} characters a-z, 0-9 and _, ` +
  'and an entity_id also has -. POST /v1/sem-keys makes a key from names.';

const unknownScope = (): Refusal =>
  invalid(`the scope of a key is one of ${KEY_SCOPES.join(', ')}`).teaching({ instead: GRAMMAR });

/** Returns the key that a text was meant to be; nothing if it has not four parts, or is encoded twice. */
function corrected(text: string): Pick<Teaching, 'corrected'> {
  if (text.length > MAX_KEY || text.includes('%')) return {};
  const key = canonicalPrefix(text);
  const [, scope = ''] = KEY.exec(key) ?? [];
  return isScope(scope) ? { corrected: { from: text, to: key } } : {};
}

/**
 * Splits a canonical key into its components, without normalising them (SPEC K1).
 * @throws Refusal INVALID_INPUT if the text is not a canonical key.
 */
export function parseKey(key: string): KeyParts {
  const match = key.length <= MAX_KEY ? KEY.exec(key) : null;
  const [, scope = '', entity_type = '', entity_id = '', attribute = ''] = match ?? [];
  const tooLong = [entity_type, entity_id, attribute].some((part) => part.length > MAX_COMPONENT);
  if (!match || tooLong)
    throw invalid('not a canonical key: scope/entity_type/entity_id/attribute').teaching({
      instead: GRAMMAR,
      ...corrected(key),
    });
  if (!isScope(scope)) throw unknownScope();
  return { scope, entity_type, entity_id, attribute };
}

/**
 * Returns the texts with which the keys of the same entity, and those of the same scope and entity type, begin, and
 * with which a key of the same attribute ends.
 */
export function neighbourhoodOf(key: string) {
  const { scope, entity_type, entity_id, attribute } = parseKey(key);
  const type = `${scope}/${entity_type}/`;
  return { entity: `${type}${entity_id}/`, type, attribute: `/${attribute}` };
}

/**
 * Returns the beginning of keys as keys are written. A text that can be one stays as it is. In any other, each
 * component is normalised; the hyphens of an entity id stay, and a `_` at the end, where the next word may follow.
 */
export function canonicalPrefix(prefix: string): string {
  if (PREFIX.test(prefix)) return prefix;
  const parts = prefix.split('/');
  return parts
    .map((part, index) => {
      const canonical = index === parts.length - 1 ? openSlug : slug;
      return index === 2 ? part.split('-').map(canonical).join('-') : canonical(part);
    })
    .join('/');
}

/** Returns the entity that the beginning of a key of scope `user` names as its third component; null without one. */
export function entityIn(prefix: string): string | null {
  const [scope, , entity_id = ''] = prefix.split('/');
  return scope === 'user' && entity_id !== '' ? entity_id : null;
}

export function isCanonicalKey(key: string): boolean {
  try {
    parseKey(key);
    return true;
  } catch {
    return false;
  }
}

/** Returns the key whose components are among these values, as in a path; undefined if they make none. */
export function keyIn(values: Readonly<Record<string, unknown>>): string | undefined {
  const { scope, entity_type, entity_id, attribute } = values;
  const key = [scope, entity_type, entity_id, attribute].join('/');
  return isCanonicalKey(key) ? key : undefined;
}

/** Returns the key of these components. @throws Refusal INVALID_INPUT if it is not a canonical key. */
export function joinKey(parts: Readonly<Record<keyof KeyParts, string>>): string {
  const { scope, entity_type, entity_id, attribute } = parts;
  const key = `${scope}/${entity_type}/${entity_id}/${attribute}`;
  parseKey(key);
  return key;
}

/** Makes an entity id of readable length. A long slug is cut and ends with a hash of the raw text (SPEC K3). */
function entitySlug(raw: string): string {
  const fullSlug = slug(raw);
  if (fullSlug.length <= MAX_SLUG) return fullSlug;
  const beginning = slug([...raw].slice(0, MAX_SLUG).join(''));
  // NFKD can expand 48 code points to more characters than a part of a key may have, so the slug is cut again.
  return `${cutSlug(beginning, MAX_SLUG)}-${sha1Hex(raw).slice(0, 8)}`;
}

/** Trims a raw user id and removes an initial `user_` (SPEC K3). */
const withoutPrefix = (rawUserId: string): string => rawUserId.trim().replace(/^user_/i, '');

/**
 * Returns the slug that names an owner, in stream names and, after `user_`, in keys (SPEC K3, I9).
 * @throws Refusal INVALID_INPUT if the slug is empty.
 */
export function userSlug(rawUserId: string): string {
  const fullSlug = entitySlug(withoutPrefix(rawUserId));
  if (fullSlug === '') throw invalid('user_id: needs a letter a–z or a digit');
  return fullSlug;
}

export const userEntityId = (rawUserId: string): string => `user_${userSlug(rawUserId)}`;

/** Returns the entity id of a user in scope `user`; undefined if the user's slug is empty. */
export const entityIdOf = (rawUserId: string): string | undefined =>
  slug(withoutPrefix(rawUserId)) === '' ? undefined : userEntityId(rawUserId);

export const isEntityOf = (rawUserId: string, entityId: string): boolean =>
  entityId === entityIdOf(rawUserId);

/**
 * Returns the form under which read models, keys and the names of private streams hold a user: lower-cased in all of
 * Unicode, without an initial `user_`. Two users can have the same one; `sameUser` does not equate them, and a claim of
 * the form keeps the second one out (`caseClaimStream`).
 */
export const foldUserId = (rawUserId: string): string => withoutPrefix(rawUserId).toLowerCase();

/**
 * Returns the form in which raw user ids are compared: A–Z lower-cased, without an initial `user_` (SPEC I9). NFC and
 * the white space at the ends matter only for ids that were recorded before `isUserId` refused such ones.
 */
export const comparedForm = (rawUserId: string): string =>
  withoutPrefix(rawUserId.normalize('NFC')).replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/** True if two raw user ids are equal, ignoring the case of A–Z and an initial `user_` (SPEC I9). */
export const sameUser = (left: string, right: string): boolean =>
  comparedForm(left) === comparedForm(right);

/** True for a text that a request or a token may give as a user id: in NFC, without white space at its ends. */
export const isUserId = (text: string): boolean =>
  text === text.trim() && text === text.normalize('NFC');

/** True for an id with letters beyond A–Z that have two cases, so that another user can have the same `foldUserId`. */
export const hasOtherCases = (rawUserId: string): boolean => {
  const others = rawUserId.replace(/[\0-\x7f]/g, '');
  return others.toLowerCase() !== others.toUpperCase();
};

/** True if `rawUserId` names the same user as `user`, which may be a raw user id or an entity id. */
export const isUserOrEntity = (rawUserId: string, user: string): boolean =>
  sameUser(rawUserId, user) || isEntityOf(rawUserId, user);

/** The parts of a key as a person wrote them. */
interface KeyRequest {
  readonly scope: string;
  readonly entity_type: string;
  readonly entity_id?: string;
  readonly attribute: string;
  readonly user_id?: string;
}

/**
 * Generates a canonical key from a person's text (SPEC K3). The same input always gives the same key.
 * @throws Refusal INVALID_INPUT if the result is not a valid key.
 */
export function generateKey(request: KeyRequest): string {
  const scope = normalize(request.scope);
  if (!isScope(scope)) throw unknownScope();
  const raw = (scope === 'user' ? request.user_id : undefined) ?? request.entity_id;
  if (raw === undefined) throw invalid('entity_id: is needed, or in scope user a user_id');
  return joinKey({
    scope,
    entity_type: normalize(request.entity_type),
    entity_id: scope === 'user' ? userEntityId(raw) : entitySlug(raw),
    attribute: normalize(request.attribute),
  });
}

/**
 * True for a key that two titles can share. In scope `user`, two titles cannot share a key, because each
 * user slug has one owner (SPEC K4, I9).
 */
export const canCollide = (key: string): boolean => parseKey(key).scope !== 'user';

/** Returns the form in which raw titles are compared: trimmed, lower-cased, white space folded (SPEC K4). */
export function foldTitle(rawTitle: string): string {
  const title = rawTitle.trim().toLowerCase().replace(/\s+/g, ' ');
  if (title === '' || title.length > MAX_TITLE)
    throw invalid('entity_id: a title has 1 to 16384 characters');
  return title;
}

/**
 * Returns the key for a second title that would get `key`. The suffix comes from the claim's seeded
 * timestamp (SPEC K4).
 */
export function collisionKey(key: string, claimSeededTimestamp: string): string {
  const parts = parseKey(key);
  const suffix = sha1Hex(claimSeededTimestamp).slice(0, 6);
  return joinKey({ ...parts, entity_id: `${parts.entity_id}-${suffix}` });
}
