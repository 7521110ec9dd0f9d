import { isDeepStrictEqual } from 'node:util';
import type { Json, JsonObject } from '#domain/json.js';

/** The server's own group of administrators. It has every right, whatever the lists below say. */
export const ADMINS = '$admins';
/** In a list of rights: every user. */
const EVERY_USER = '$all';

/** The user that the service connects as, and the group that gets the rights. */
export interface Grantee {
  readonly user: string;
  readonly group: string;
}

/**
 * Returns the content of `$settings` that lets the group read and write the streams that have no rights of their
 * own. Their deletion and their metadata are left to those who are named there already, or else to the
 * administrators. Everything else stays as it is.
 */
export function withStreamRights(settings: JsonObject, grantee: Grantee): JsonObject {
  const rights = objectIn(settings['$userStreamAcl']);
  const { group } = grantee;
  return {
    ...settings,
    $userStreamAcl: {
      ...rights,
      $r: granted(rights['$r'], group),
      $w: granted(rights['$w'], group),
      $d: withheld(rights['$d'], grantee),
      $mr: withheld(rights['$mr'], grantee),
      $mw: withheld(rights['$mw'], grantee),
    },
  };
}

/** Returns the metadata of $all that lets the group read it. Everything else stays as it is. */
export function withReadOfAll(metadata: JsonObject, { group }: Grantee): JsonObject {
  const rights = objectIn(metadata['$acl']);
  return { ...metadata, $acl: { ...rights, $r: granted(rights['$r'], group) } };
}

export const isSame = (left: JsonObject, right: JsonObject): boolean =>
  isDeepStrictEqual(left, right);

const objectIn = (value: Json | undefined): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};

/** The server accepts one name in place of a list. */
function listIn(value: Json): readonly string[] {
  return (Array.isArray(value) ? value : [value]).filter((name) => typeof name === 'string');
}

function granted(names: Json | undefined, group: string): Json {
  if (names === undefined || names === null) return [ADMINS, group];
  const list = listIn(names);
  return list.includes(group) || list.includes(EVERY_USER) ? names : [...list, group];
}

/** Without a list, the server would give the right to every user. */
function withheld(names: Json | undefined, { user, group }: Grantee): Json {
  if (names === undefined || names === null) return [ADMINS];
  const list = listIn(names);
  const others = list.filter((name) => ![EVERY_USER, user, group].includes(name));
  if (others.length === list.length) return names;
  return others.length === 0 ? [ADMINS] : others;
}
