import { clearText } from '../privacy/clear-text.js';
import type { RuleSet } from '../privacy/rule-set.js';
import { scanId } from '../privacy/scan-id.js';

/** A wrong field of a request. */
export interface FieldHelp {
  /** The path of the field, such as `commands.1.count`. */
  readonly field: string;
  readonly problem: string;
  /** The known name that is most like an unknown one. */
  readonly nearest?: string;
  /** The part of the HTTP request to which the field belongs, if it stood in another. */
  readonly place?: 'path' | 'query' | 'body';
}

/** What an error teaches about the next request: the `meta.help` of its envelope, never a value (SPEC P6). */
export interface ErrorHelp {
  readonly fields?: readonly FieldHelp[];
  /** The roles that may do what the caller may not. */
  readonly roles?: readonly string[];
  /** What to do instead: a sentence, or a method with a path. */
  readonly instead?: string;
}

/** A name of a field, or several, before a colon. */
const NAMED_FIELDS = /^([a-z_]\w*(?:\.\w+)*(?:, [a-z_]\w*(?:\.\w+)*)*): (.+)$/s;

/** Returns the fields that the reason of a refusal names, as in `text: has nothing to see`; undefined if it names none. */
export function fieldsNamed(reason: unknown): readonly FieldHelp[] | undefined {
  const [, names, problem = ''] =
    (typeof reason === 'string' && NAMED_FIELDS.exec(reason)) || ([] as readonly string[]);
  return names?.split(', ').map((field) => ({ field, problem }));
}

/** The help as a refusal gives it. */
export interface Teaching extends ErrorHelp {
  /** What the caller wrote, and the same put right. It is an example if the privacy gate finds nothing in either. */
  readonly corrected?: { readonly from: string; readonly to: string };
}

/** Returns what an envelope may show of the help of a refusal; undefined if there is nothing to teach. */
export function shownHelp(
  { fields, roles, instead, corrected }: Teaching,
  rules: RuleSet,
): ErrorHelp | undefined {
  const isClear = (text: string): boolean => scanId(text, rules).outcome === 'clear';
  const isShown = corrected !== undefined && isClear(corrected.from) && isClear(corrected.to);
  const help: ErrorHelp = {
    ...(fields === undefined
      ? {}
      : { fields: fields.map((each) => ({ ...each, field: clearText(each.field, rules) })) }),
    ...(roles === undefined ? {} : { roles }),
    ...(instead === undefined
      ? {}
      : { instead: isShown ? `${instead} For example: ${corrected.to}` : instead }),
  };
  return Object.keys(help).length === 0 ? undefined : help;
}
