import { z } from 'zod';
import { type Requests, REQUESTS } from './requests.js';

/** The fields of requests that no tool has, for each reason; a field of one route stands after the route. */
const LEFT_OUT = {
  'A model does not follow the events of a job or the streams of the log.': [
    'expected_version',
    'stream',
    'as_of',
  ],
  'A person decides to see sealed personal data.': ['unredacted'],
  'The operator of an agent sets these for a whole run.': ['seeded_epoch', 'constants'],
  'The service writes the log of a job.': ['reflective_log'],
  'Only those who examine a search need these.': [
    'explain',
    'operators',
    'ranking_version',
    'record_in',
  ],
  'A caller writes only notes of its own.': ['PUT /v1/notes owner', 'DELETE /v1/notes owner'],
  'The tool does not show the counts.': ['counts'],
  'The tool proposes facts only, and names the key itself.': [
    'POST /v1/action-requests kind',
    'POST /v1/action-requests consent_id',
    'POST /v1/action-requests subject',
    'POST /v1/action-requests reason_code',
    'POST /v1/action-requests target_sem_key',
  ],
  'The tool sets how the Memory Contract recalls.': [
    'POST /v1/memory/recall assistant',
    'POST /v1/memory/recall memory',
    'POST /v1/memory/recall policy',
    'POST /v1/memory/recall phase',
    'POST /v1/memory/recall trace',
  ],
} as const;
type LeftOut = (typeof LEFT_OUT)[keyof typeof LEFT_OUT][number];
const isLeftOut: ReadonlySet<string> = new Set(Object.values(LEFT_OUT).flat());

/** The names that path parameters have for a model, which sees no path. */
const NAMES = { seed: 'job_seed', id: 'request_id' } as const;
type NameOf<Field> = Field extends keyof typeof NAMES ? (typeof NAMES)[Field] : Field;

type Route = keyof Requests;
type FieldsOf<R extends Route> = {
  [
    Field in keyof Requests[R] as Field extends LeftOut
      ? never
      : `${R} ${Field & string}` extends LeftOut
        ? never
        : NameOf<Field>
  ]: Requests[R][Field];
};
type Shape<Fields, Defaults> = {
  -readonly [Field in keyof Fields]-?: Field extends keyof Defaults
    ? z.ZodDefault<z.ZodType<Exclude<Fields[Field], undefined>>>
    : object extends Pick<Fields, Field>
      ? z.ZodExactOptional<z.ZodType<Exclude<Fields[Field], undefined>>>
      : z.ZodType<Fields[Field]>;
};

/**
 * Returns the fields of a route's request for the input of a tool, with the types and limits that the service checks.
 * A field that is new in the request is thus new in the tool.
 * @param texts for a model: what each field is; by default what the service's OpenAPI document says
 * @param defaults what a call without these fields sends
 */
export function requestFields<
  R extends Route,
  Defaults extends Partial<FieldsOf<R>> = Record<never, never>,
>(
  route: R,
  texts: { readonly [Field in keyof FieldsOf<R>]?: string },
  defaults?: Defaults,
): Shape<FieldsOf<R>, Defaults> {
  const { properties, required } = REQUESTS[route];
  const given: Readonly<Record<string, unknown>> = { ...defaults };
  const described: Readonly<Record<string, string | undefined>> = { ...texts };
  const fields = Object.entries(properties).flatMap(([property, schema]) => {
    if (isLeftOut.has(property) || isLeftOut.has(`${route} ${property}`)) return [];
    const name = Object.hasOwn(NAMES, property) ? NAMES[property as keyof typeof NAMES] : property;
    const description = described[name];
    const field = z.fromJSONSchema({ ...schema, ...(description && { description }) });
    if (Object.hasOwn(given, name)) return [[name, field.default(given[name])]];
    return [[name, required.includes(property) ? field : field.exactOptional()]];
  });
  return Object.fromEntries(fields) as Shape<FieldsOf<R>, Defaults>;
}
