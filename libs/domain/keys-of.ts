/** Returns the names of a record’s own fields, with their type. */
export const keysOf = <Name extends string>(
  record: Readonly<Record<Name, unknown>>,
): readonly Name[] => Object.keys(record) as Name[];
