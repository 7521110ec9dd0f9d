import { isSupportedCountry, type CountryCode } from 'libphonenumber-js';
import { RULE_SET_VERSION } from './finding.js';

/** The rules that a scan applies. Their version is kept with each finding and pinned by each job (SPEC P1). */
export interface RuleSet {
  readonly version: string;
  /** The regions whose national forms of phone numbers are recognised, sorted. */
  readonly regions: readonly CountryCode[];
}

const DEFAULT_REGIONS: readonly CountryCode[] = ['DE', 'FR', 'GB', 'IN', 'US'];

export const DEFAULT_RULES: RuleSet = { version: RULE_SET_VERSION, regions: DEFAULT_REGIONS };

/**
 * Returns the rules for the national phone forms of these regions. The version of rules for other than the default
 * regions names the regions.
 * @param regions ISO 3166 codes such as `US`
 * @throws RangeError for a code that names no region with phone numbers
 */
export function ruleSetOf(regions: readonly string[]): RuleSet {
  const known = [...new Set(regions)].sort().map((region) => {
    if (!isSupportedCountry(region))
      throw new RangeError(`${JSON.stringify(region)} is not the code of a region`);
    return region;
  });
  const list = known.join(',');
  if (list === DEFAULT_REGIONS.join(',')) return DEFAULT_RULES;
  return { version: `${RULE_SET_VERSION}:${list}`, regions: known };
}
