import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';

type Converter = StandardSchemaWithJSON['~standard']['jsonSchema']['input'];

function once(convert: Converter): Converter {
  let made: Record<string, unknown> | undefined;
  return (options) => (made ??= convert(options));
}

const cached = new WeakMap<StandardSchemaWithJSON, StandardSchemaWithJSON>();

/**
 * Returns a schema that is converted to JSON Schema once. Each request has a server of its own, and the conversion
 * of one tool's schemas takes twice as long as making the server.
 */
export function cachedSchema<Schema extends StandardSchemaWithJSON>(schema: Schema): Schema {
  const known = cached.get(schema);
  if (known !== undefined) return known as Schema;
  const standard = schema['~standard'];
  const { input, output } = standard.jsonSchema;
  const made: StandardSchemaWithJSON = {
    '~standard': { ...standard, jsonSchema: { input: once(input), output: once(output) } },
  };
  cached.set(schema, made);
  return made as Schema;
}

/** The schema of a tool's input. The tool checks it itself, so that its refusal has the form of the service's. */
export const uncheckedSchema = (schema: StandardSchemaWithJSON): StandardSchemaWithJSON => ({
  '~standard': { ...cachedSchema(schema)['~standard'], validate: (value) => ({ value }) },
});
