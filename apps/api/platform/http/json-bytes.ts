/** JSON as it leaves: of a string the length would be counted first, and the socket would convert it again. */
export const jsonBytes = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
