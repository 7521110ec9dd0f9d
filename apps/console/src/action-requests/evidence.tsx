import { type ReactNode, useState } from 'react';
import type { Dossier, Json, JsonObject } from '#client/index.js';
import { fieldCount, Scalar, textsOf, ValueFields } from '../changes/value-fields';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { piecesOf } from '../ui/invisible-characters';
import { VisibleText } from '../ui/visible-text';
import { readEntry, type ReadEntry } from './evidence-entry';
import { MarkedText } from './marked-text';
import styles from './review.module.css';
import { commentPlaces, partWords, placesOf, type SoughtPart } from './value-places';

type Cited = Dossier['evidence'][number];

interface EvidenceProps {
  readonly dossier: Dossier;
  /** What the evidence should contain. */
  readonly sought: readonly SoughtPart[];
}

/** What the proposal rests on: the episode, and each entry of the evidence, to be read as text. */
export function Evidence({ dossier: { episode, evidence }, sought }: EvidenceProps) {
  return (
    <section className={styles.section} aria-labelledby="evidence">
      <h2 id="evidence">Episode and evidence</h2>
      {evidence.length === 0 ? (
        <p>The proposer cites no evidence.</p>
      ) : (
        <Containment sought={sought} texts={evidence.flatMap(textsIn)} />
      )}
      <Entries of={evidence.slice(0, SHOWN)} from={1} sought={sought} />
      {evidence.length > SHOWN && (
        <details>
          <summary>
            {evidence.length - SHOWN} more <Hidden texts={evidence.slice(SHOWN).flatMap(textsIn)} />
          </summary>
          <Entries of={evidence.slice(SHOWN)} from={SHOWN + 1} sought={sought} />
        </details>
      )}
      {episode !== null && (
        <p className={styles.small}>
          <span className={styles.muted}>The episode:</span>{' '}
          {episode.summary !== null && <VisibleText text={episode.summary} />}{' '}
          <State state={episode.state} />
        </p>
      )}
    </section>
  );
}

/** More entries are folded. */
const SHOWN = 3;

interface EntriesProps {
  readonly of: readonly Cited[];
  /** The number of the first one. */
  readonly from: number;
  readonly sought: readonly SoughtPart[];
}

const Entries = ({ of, from, sought }: EntriesProps) => (
  <ol className={styles.evidence}>
    {of.map((cited, index) => (
      <li key={index} aria-label={`Evidence ${from + index}`}>
        <Entry cited={cited} sought={sought} />
      </li>
    ))}
  </ol>
);

const textsIn = ({ entry, summary }: Cited): string[] => [
  ...textsOf(entry),
  ...(summary === null ? [] : [summary]),
];

interface ContainmentProps {
  readonly sought: readonly SoughtPart[];
  readonly texts: readonly string[];
}

/** More parts are counted and not named. */
const NAMED = 5;

/** Says whether the value stands in the evidence. Whether the evidence means it, only the reader can say. */
function Containment({ sought, texts }: ContainmentProps) {
  if (sought.length === 0) return null;
  const missing = sought.filter(
    ({ value }) => !texts.some((text) => placesOf(text, value).length > 0),
  );
  const found = sought.length - missing.length;
  if (missing.length === 0)
    return (
      <p className={styles.contained}>
        ✓ The evidence contains the value
        {sought.some(({ path }) => path.length > 0) && (
          <>
            : <Parts of={sought} />
          </>
        )}
        .
      </p>
    );
  if (found === 0)
    return <p className={styles.missing}>✗ The evidence does not contain the value.</p>;
  return (
    <p className={styles.missing}>
      ✗ The evidence contains {found} of {sought.length} parts of the value, not{' '}
      <Parts of={missing} />.
    </p>
  );
}

const Parts = ({ of: parts }: { readonly of: readonly SoughtPart[] }) => (
  <>
    <VisibleText text={parts.slice(0, NAMED).map(partWords).join(', ')} />
    {parts.length > NAMED && ` and ${parts.length - NAMED} more`}
  </>
);

const State = ({ state }: { readonly state: Cited['state'] }) => {
  if (state === 'missing') return <Badge kind="bad">Cannot be found</Badge>;
  return state === 'erased' ? <Badge kind="bad">Erased</Badge> : null;
};

interface EntryProps {
  readonly cited: Cited;
  readonly sought: readonly SoughtPart[];
}

function Entry({ cited: { entry, state, summary }, sought }: EntryProps) {
  const { heading, content, rest } = readEntry(entry);
  const show = (text: string): ReactNode => <MarkedText text={text} sought={sought} />;
  return (
    <>
      <p className={styles.source}>
        <Heading heading={heading} show={show} />
        <State state={state} />
        <Hidden texts={textsOf(entry)} />
      </p>
      {summary !== null && <p className={styles.prose}>{show(summary)}</p>}
      {content.map((value, index) =>
        typeof value === 'string' ? (
          <p key={index} className={styles.prose}>
            <Scalar value={value} show={() => show(value)} />
          </p>
        ) : (
          <Fields key={index} value={value} show={show} />
        ),
      )}
      <Rest fields={rest} show={show} />
    </>
  );
}

interface HeadingProps {
  readonly heading: ReadEntry['heading'];
  readonly show: (text: string) => ReactNode;
}

/** What the entry is, where it comes from and when it was read. */
const Heading = ({ heading, show }: HeadingProps) =>
  heading.map(([name, text]) => (
    <span key={name} className={styles[name]}>
      {LEADS[name]}
      {show(text)}
    </span>
  ));

const LEADS: Readonly<Record<ReadEntry['heading'][number][0], string>> = {
  type: '',
  tool: '',
  title: '',
  url: '',
  from: 'from ',
  read_at: 'read ',
};

interface FieldsProps {
  readonly value: Json;
  readonly show: (text: string) => ReactNode;
}

/** How many fields are shown until the reader asks for all. */
const FIELDS_SHOWN = 8;

function Fields({ value, show }: FieldsProps) {
  const [isWhole, setWhole] = useState(false);
  const count = fieldCount(value);
  return (
    <>
      <ValueFields value={value} show={show} limit={isWhole ? Infinity : FIELDS_SHOWN} />
      {count > FIELDS_SHOWN && (
        <div>
          <Button kind="quiet" onClick={() => setWhole(!isWhole)}>
            {isWhole ? 'Show less' : `Show all ${count.toLocaleString('en')} fields`}
          </Button>
        </div>
      )}
    </>
  );
}

/** The fields of an entry that are neither its heading nor its content. */
const Rest = ({
  fields,
  show,
}: {
  readonly fields: JsonObject;
  readonly show: HeadingProps['show'];
}) =>
  Object.keys(fields).length > 0 && (
    <div className={styles.small}>
      <Fields value={fields} show={show} />
    </div>
  );

/** Says what a browser would not have shown of an entry. The texts mark the places. */
function Hidden({ texts }: { readonly texts: readonly string[] }) {
  const hasComment = texts.some((text) => commentPlaces(text).length > 0);
  const hasInvisible = texts.some((text) =>
    piecesOf(text).some(({ kind }) => kind === 'invisible'),
  );
  return (
    <>
      {hasComment && <Badge kind="bad">Hidden comment</Badge>}
      {hasInvisible && <Badge kind="bad">Invisible characters</Badge>}
    </>
  );
}
