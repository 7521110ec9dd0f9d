import type { Json } from '#domain/json.js';
import { placeOf, type RequestClass, usedAs } from './request.js';

/** A route by its method and its path, as openapi.json writes it. */
export interface RequestRoute {
  readonly method: string;
  readonly path: string;
  readonly request: RequestClass;
}

/** Returns a route as it is called in the example of its request; undefined for a request without one. */
export function exampleOfRoute({ method, path, request }: RequestRoute): string | undefined {
  const { example, path: parameters } = usedAs(request);
  if (example === undefined && parameters === undefined) return undefined;
  const address = filled(path, parameters ?? {});
  return `${method} ${address}${fieldsText(request, method, Object.entries(example ?? {}))}`;
}

const filled = (path: string, parameters: Readonly<Record<string, string>>): string =>
  path.replace(/\{(\w+)\}/g, (name, parameter: string) => parameters[parameter] ?? name);

function fieldsText(
  request: RequestClass,
  method: string,
  fields: readonly (readonly [string, Json])[],
): string {
  const query = fields.filter(([field]) => placeOf(request, method, field) === 'query');
  const body = fields.filter(([field]) => placeOf(request, method, field) === 'body');
  const asked = query.flatMap(([field, value]) =>
    [value].flat().map((item) => `${field}=${String(item as string)}`),
  );
  return (
    (asked.length === 0 ? '' : `?${asked.join('&')}`) +
    (body.length === 0 ? '' : ` with a body such as ${JSON.stringify(Object.fromEntries(body))}`)
  );
}
