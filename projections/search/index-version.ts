import { LANGUAGE_NAMES } from '#domain/search/languages/language.js';
import type { SearchLanguage } from '#read-model/search-language.js';

/** Raise it whenever tables, the analysis of texts, or what is found change (`ProjectionOptions`). */
export const SEARCH_VERSION = 7;

/** The form of an index whose texts are in this language. */
export const formOf = ({ name }: SearchLanguage): number => LANGUAGE_NAMES.indexOf(name);
