/** Any value that JSON, JCS and Postgres can all represent (SPEC I5). */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export type JsonObject = { readonly [key: string]: Json };
