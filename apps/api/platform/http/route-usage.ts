import type { Json } from '#domain/json.js';
import type { RouteEntry } from '../auth/route-table.js';
import { requiredFields } from './dto.pipe.js';
import { exampleOf, placeOf, type RequestClass } from './request.js';

/** Returns how a route is called, as an answer writes it: its name, and an example of its fields or those that it needs. */
export function usageOf({ method, path, request }: RouteEntry): string {
  const name = `${method} ${path}`;
  if (request === undefined) return name;
  const example = exampleOf(request);
  if (example !== undefined) return name + exampleText(request, method, Object.entries(example));
  const { query, body } = requiredFields(request, method, path);
  const asked = query.length === 0 ? '' : `?${query.map((field) => `${field}=…`).join('&')}`;
  return name + asked + (body.length === 0 ? '' : ` with ${body.join(', ')} in the body`);
}

function exampleText(
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
