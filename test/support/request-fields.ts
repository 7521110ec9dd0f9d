import type { JsonObject } from '#domain/json.js';
import type { OpenApi } from './described-answers.js';

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly schema: Schema }[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: Schema }>>;
  };
}

/** A field that a request can have. */
export interface RequestField {
  /** `METHOD pattern`. */
  readonly operation: string;
  /** `?name` in the query, and `a.b[]` in the body. */
  readonly place: string;
  /** The `format` of a text, `Json` or `JsonObject` for any value, otherwise the type. */
  readonly kind: string;
}

const ANY = ['Json', 'JsonObject'];

/** Returns every field of every request of openapi.json. */
export function requestFields(openApi: OpenApi): readonly RequestField[] {
  const schemas = openApi.components.schemas as unknown as Readonly<Record<string, Schema>>;
  const fields: RequestField[] = [];
  const visit = (
    operation: string,
    schema: Schema,
    place: string,
    within: readonly string[],
  ): void => {
    const name = schema.$ref?.split('/').at(-1);
    if (name !== undefined && ANY.includes(name)) fields.push({ operation, place, kind: name });
    else if (name !== undefined && !within.includes(name))
      visit(operation, schemas[name] as Schema, place, [...within, name]);
    for (const part of [...(schema.allOf ?? []), ...(schema.oneOf ?? [])])
      visit(operation, part, place, within);
    if (schema.items !== undefined) visit(operation, schema.items, `${place}[]`, within);
    for (const [key, part] of Object.entries(schema.properties ?? {}))
      visit(operation, part, place === '' ? key : `${place}.${key}`, within);
    if (schema.type !== undefined)
      fields.push({ operation, place, kind: schema.format ?? schema.type });
  };
  for (const [pattern, methods] of Object.entries(openApi.paths))
    for (const [method, described] of Object.entries(methods)) {
      const operation = `${method.toUpperCase()} ${pattern}`;
      const { parameters = [], requestBody } = described as unknown as Operation;
      for (const { name, schema } of parameters) visit(operation, schema, `?${name}`, []);
      const body = requestBody?.content['application/json']?.schema;
      if (body !== undefined) visit(operation, body, '', []);
    }
  return fields;
}

/** Returns the fields of one kind as `METHOD pattern place`, sorted, each once. */
export const fieldsOfKind = (openApi: OpenApi, ...kinds: readonly string[]): readonly string[] =>
  [
    ...new Set(
      requestFields(openApi)
        .filter(({ kind }) => kinds.includes(kind))
        .map(({ operation, place }) => `${operation} ${place}`),
    ),
  ].sort();

/** Returns a copy of a body with a value at a place such as `a.b[]`. */
export function withValueAt(body: JsonObject, place: string, value: unknown): JsonObject {
  const copy = structuredClone(body) as Record<string, unknown>;
  const steps = place.replaceAll('[]', '.0').split('.');
  let node = copy;
  for (const step of steps.slice(0, -1)) node = node[step] as Record<string, unknown>;
  node[steps.at(-1) as string] = value;
  return copy as JsonObject;
}
