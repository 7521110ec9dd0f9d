import { type ReactNode, useMemo, useState } from 'react';
import type { Dossier, Json, JsonObject } from '#client/index.js';
import { fieldCount, Scalar, textsOf, ValueFields } from '../changes/value-fields';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { piecesOf } from '../ui/invisible-characters';
import { VisibleText } from '../ui/visible-text';
import { saidIn } from '#domain/action-request/in-evidence.js';
import { yearPlaces } from '#domain/action-request/old-source.js';
import { Containment, missingFrom } from './containment';
import { readEntry, type ReadEntry } from './evidence-entry';
import { type Mark, MarkedText } from './marked-text';
import styles from './review.module.css';
import { commentPlaces, placesOf, type SoughtPart } from './value-places';
import { numberPlaces, type Place } from './written-numbers';

type Cited = Dossier['evidence'][number];

interface EvidenceProps {
  readonly dossier: Dossier;
  /** What the evidence should contain. */
  readonly sought: readonly SoughtPart[];
}

/** What the proposal rests on: the episode, and each entry of the evidence, to be read as text. */
export function Evidence({ dossier: { episode, evidence, risk }, sought }: EvidenceProps) {
  const isOld = risk?.reasons.includes('old_source') ?? false;
  const missing = useMemo(() => missingFrom(evidence.flatMap(saidOf), sought), [evidence, sought]);
  const marks: MarksOf = {
    inSource: (text) => marked('found', placesOf(text, sought)),
    inText: (text) => [
      ...marks.inSource(text),
      ...missing.flatMap(({ near }) =>
        near === undefined ? [] : marked('near', numberPlaces(text, [near.value])),
      ),
      ...(isOld ? marked('year', [...yearPlaces(text)].map(placeOfYear)) : []),
    ],
  };
  return (
    <section className={styles.section} aria-labelledby="evidence">
      <h2 id="evidence">Episode and evidence</h2>
      {isOld && <LatestYear evidence={evidence} />}
      {evidence.length === 0 ? (
        <p>The proposer cites no evidence.</p>
      ) : (
        <Containment sought={sought} missing={missing} />
      )}
      <Entries of={evidence.slice(0, SHOWN)} from={1} marks={marks} />
      {evidence.length > SHOWN && (
        <details>
          <summary>
            {evidence.length - SHOWN} more <Hidden texts={evidence.slice(SHOWN).flatMap(textsIn)} />
          </summary>
          <Entries of={evidence.slice(SHOWN)} from={SHOWN + 1} marks={marks} />
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

/** What is marked in a text. The source of an entry has its own dates, which say nothing about its content. */
interface MarksOf {
  readonly inSource: (text: string) => Mark[];
  readonly inText: (text: string) => Mark[];
}

const marked = (kind: Mark['kind'], places: readonly Place[]): Mark[] =>
  places.map(({ start, end }) => ({ kind, start, end }));

const YEAR_LENGTH = 4;
const placeOfYear = ({ start }: { readonly start: number }): Place => ({
  ...{ start, end: start + YEAR_LENGTH },
});

/** Says how old the evidence is by its own words. */
function LatestYear({ evidence }: { readonly evidence: readonly Cited[] }) {
  const years = evidence
    .flatMap(({ entry }) => bodyOf(readEntry(entry)))
    .flatMap((text) => [...yearPlaces(text)])
    .map(({ year }) => year);
  if (years.length === 0) return null;
  return (
    <p className={styles.callout}>
      The evidence speaks of {Math.max(...years)}, and of no later year.
    </p>
  );
}

const bodyOf = ({ content, rest }: ReadEntry): string[] => [...content, rest].flatMap(textsOf);

/** More entries are folded. */
const SHOWN = 3;

interface EntriesProps {
  readonly of: readonly Cited[];
  /** The number of the first one. */
  readonly from: number;
  readonly marks: MarksOf;
}

const Entries = ({ of, from, marks }: EntriesProps) => (
  <ol className={styles.evidence}>
    {of.map((cited, index) => (
      <li key={index} aria-label={`Evidence ${from + index}`}>
        <Entry cited={cited} marks={marks} />
      </li>
    ))}
  </ol>
);

/** What an entry says, as the risk compares it. */
const saidOf = ({ entry }: Cited): string[] => saidIn(entry).map(({ value }) => String(value));

const textsIn = ({ entry, summary }: Cited): string[] => [
  ...textsOf(entry),
  ...(summary === null ? [] : [summary]),
];

const State = ({ state }: { readonly state: Cited['state'] }) => {
  if (state === 'missing') return <Badge kind="bad">Cannot be found</Badge>;
  return state === 'erased' ? <Badge kind="bad">Erased</Badge> : null;
};

interface EntryProps {
  readonly cited: Cited;
  readonly marks: MarksOf;
}

function Entry({ cited: { entry, state, summary }, marks }: EntryProps) {
  const { heading, content, rest } = readEntry(entry);
  const show = (text: string): ReactNode => <MarkedText text={text} marks={marks.inText(text)} />;
  return (
    <>
      <p className={styles.source}>
        <Heading
          heading={heading}
          show={(text) => <MarkedText text={text} marks={marks.inSource(text)} />}
        />
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
