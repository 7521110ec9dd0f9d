/**
 * Labelled personal data for measuring the detector (SPEC P1, P2). Nobody tunes rules on `held`: its
 * templates were written without knowledge of the rules, and no template of `train` resembles one.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import type { Json } from '#domain/json.js';
import { PHONE_REGIONS } from './generators/contact.js';
import { Random } from './random.js';
import { fill, type LabelledSpan, type Template } from './template.js';

export type Part = 'held' | 'train';

export interface Example {
  /** The id of the template. */
  readonly template: string;
  readonly language: string;
  readonly region: string;
  readonly label?: string;
  readonly value: Json;
  /** Empty if the text has no personal data. */
  readonly spans: readonly LabelledSpan[];
}

/** The regions whose national phone numbers the corpus has. */
export const REGIONS: readonly string[] = PHONE_REGIONS;

/** The folder in the sources; the compiled corpus reads it, too. */
const FOLDER = `${dirname(fileURLToPath(import.meta.resolve('#package.json')))}/test/privacy-corpus`;

/** Returns the templates of a part in the order of their files. */
export function templates(part: Part): readonly Template[] {
  return readdirSync(`${FOLDER}/${part}`)
    .sort()
    .flatMap((file) => parse(readFileSync(`${FOLDER}/${part}/${file}`, 'utf8')) as Template[]);
}

/** Fills each template of the part `perTemplate` times; the same seed gives the same examples. */
export function corpus(part: Part, seed = 1, perTemplate = 10): readonly Example[] {
  return templates(part).flatMap((template) =>
    Array.from({ length: perTemplate }, (_, index): Example => {
      const { id, language, region, label } = template;
      const { value, spans } = fill(template, new Random(`${seed}/${id}/${index}`));
      return {
        template: id,
        language,
        region,
        ...(label === undefined ? {} : { label }),
        value,
        spans,
      };
    }),
  );
}
