import type { RouteEntry } from '../auth/route-table.js';
import { requiredFields } from './dto.pipe.js';
import type { RequestClass } from './request.js';
import { exampleOfRoute } from './route-example.js';

/** Returns how a route is called, as an answer writes it: its name, and an example of its fields or those that it needs. */
export function usageOf({ method, path, request }: RouteEntry): string {
  const name = `${method} ${path}`;
  if (request === undefined) return name;
  return exampleOfRoute({ method, path, request }) ?? name + requiredText(request, method, path);
}

function requiredText(request: RequestClass, method: string, path: string): string {
  const { query, body } = requiredFields(request, method, path);
  const asked = query.length === 0 ? '' : `?${query.map((field) => `${field}=…`).join('&')}`;
  return asked + (body.length === 0 ? '' : ` with ${body.join(', ')} in the body`);
}
