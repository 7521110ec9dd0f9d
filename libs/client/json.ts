/** Any JSON value. The service refuses integers beyond ±2^53, U+0000 and lone surrogates. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export type JsonObject = { readonly [key: string]: Json };
