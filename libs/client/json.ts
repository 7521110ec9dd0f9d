/** Any JSON value. Integers beyond ±2^53, U+0000 and lone surrogates are refused by the service. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export type JsonObject = { readonly [key: string]: Json };
