import { Instant } from '../ui/instant';
import { VisibleText } from '../ui/visible-text';

/** The most characters of a name that are shown: anybody can write a file with a name of many megabytes. */
const SHOWN = 1_000;

/** A name or a short text that stands in a file, which anybody can have written. */
export const NameInFile = ({ text }: { readonly text: string }) => (
  <VisibleText text={text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text} />
);

const IS_INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/;

/** A time that stands in a file; the text itself if it is not one. */
export const TimeInFile = ({ at }: { readonly at: unknown }) =>
  typeof at === 'string' && IS_INSTANT.test(at) ? (
    <Instant at={at} />
  ) : (
    <NameInFile text={typeof at === 'string' ? at : 'none'} />
  );
