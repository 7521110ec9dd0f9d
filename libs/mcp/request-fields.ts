import { z } from 'zod';
import { type Requests, REQUESTS } from './requests.js';

/** The fields of requests that no tool has, each with the reason. */
const LEFT_OUT = {
  as_of: 'A model knows no position of the log.',
  constants: 'The operator of an agent sets the rules of its jobs.',
  counts: 'The tool shows no counts.',
  expected_version: 'A model does not follow the events of a job.',
  explain: 'It is for those who examine a search.',
  operators: 'The tool tells a model how to write a query.',
  ranking_version: 'It is for those who examine a search.',
  record_in: 'The runtime decides what its job records.',
  reflective_log: 'The service writes the log of the job.',
  seeded_epoch: 'The time of a job is not for a model to set.',
  stream: 'A model names a note by its namespace and key.',
  unredacted: 'A person decides to see sealed personal data.',
} as const;

/** The names that a model sees for the parameters of paths. */
const NAMES = { seed: 'job_seed', id: 'request_id' } as const;

type FieldsOf<Request> = {
  [
    Field in keyof Request as Field extends keyof typeof LEFT_OUT
      ? never
      : Field extends keyof typeof NAMES
        ? (typeof NAMES)[Field]
        : Field
  ]: Request[Field];
};
type Texts<Fields> = {
  readonly [Field in keyof Fields]?: string | readonly [text: string, byDefault: Fields[Field]];
};
type Shape<Fields, Given> = {
  -readonly [Field in keyof Fields]-?: Field extends keyof Given
    ? Given[Field] extends readonly unknown[]
      ? z.ZodDefault<z.ZodType<Exclude<Fields[Field], undefined>>>
      : FieldShape<Fields, Field>
    : FieldShape<Fields, Field>;
};
type FieldShape<Fields, Field extends keyof Fields> =
  object extends Pick<Fields, Field>
    ? z.ZodExactOptional<z.ZodType<Exclude<Fields[Field], undefined>>>
    : z.ZodType<Fields[Field]>;

/** A field that names its longest text. The service checks it, because Zod counts an emoji as two characters. */
const fieldOf = ({ maxLength, ...schema }: z.core.JSONSchema.JSONSchema): z.ZodType => {
  const field = z.fromJSONSchema(schema);
  return maxLength === undefined ? field : field.meta({ ...field.meta(), maxLength });
};

/**
 * Returns the fields of a route's request, with the types and limits that the service checks. A field that is new in
 * the request is new here.
 * @param texts what a model reads of a field, and its default for a model; else the text of the OpenAPI document
 */
export function requestFields<
  Route extends keyof Requests,
  const Given extends Texts<FieldsOf<Requests[Route]>>,
>(
  route: Route,
  texts: Given,
): z.ZodObject<Shape<FieldsOf<Requests[Route]>, Given>, z.core.$strict> {
  const { properties, required } = REQUESTS[route];
  const given = texts as Readonly<Record<string, string | readonly [string, unknown] | undefined>>;
  const shape = Object.entries(properties).flatMap(([property, schema]) => {
    if (Object.hasOwn(LEFT_OUT, property)) return [];
    const name = property in NAMES ? NAMES[property as keyof typeof NAMES] : property;
    const text = given[name] ?? '';
    const [description, byDefault] = typeof text === 'string' ? [text] : text;
    const field = fieldOf({ ...schema, ...(description && { description }) });
    if (byDefault !== undefined) return [[name, field.default(byDefault)]];
    return [[name, required.includes(property) ? field : field.exactOptional()]];
  });
  return z.strictObject(Object.fromEntries(shape) as Shape<FieldsOf<Requests[Route]>, Given>);
}
