import { useState } from 'react';
import type { SearchProps } from '../data/search-params';
import { useMoment } from '../moment/use-moment';
import { Button } from '../ui/button';
import { TextField, SelectField } from '../ui/field';
import { submitting } from '../ui/form';
import { Bar } from '../ui/section';
import {
  kindsOf,
  KIND_WORDS,
  SEARCH_KINDS,
  searchSearchOf,
  type SearchKind,
  type SearchSearch,
  SPACES,
} from './search-search';
import styles from './search.module.css';

/** The fields that are texts in the form, with their labels. */
const TEXTS = {
  job: { label: 'In job', placeholder: 'a seed' },
  session: { label: 'In session', placeholder: 'an id' },
  from: { label: 'Written from', placeholder: '2026-01-31, or today' },
  to: { label: 'Written to', placeholder: '2026-12-31, or yesterday' },
  as_of: { label: 'At position', placeholder: 'of the log' },
  max: { label: 'Most hits', placeholder: '20' },
} as const;
type TextName = keyof typeof TEXTS;
const TEXT_NAMES = Object.keys(TEXTS) as TextName[];

/** The words and the filters. Enter searches; nothing is sent before. */
export function SearchForm({ search, show }: SearchProps<SearchSearch>) {
  const [words, setWords] = useState(search.q ?? '');
  const [kinds, setKinds] = useState(kindsOf(search));
  const [space, setSpace] = useState<string>(search.space ?? '');
  const [ranking, setRanking] = useState(search.ranking?.toString() ?? '');
  const [texts, setTexts] = useState<Readonly<Record<TextName, string>>>(() => textsIn(search));
  const [isOpen, setOpen] = useState(space !== '' || ranking !== '' || hasText(texts));
  const isPast = useMoment().at !== undefined;
  const submit = submitting(() => {
    const asked = { q: words.trim(), kinds: kinds.join(','), space, ranking, ...texts };
    show(searchSearchOf({ ...asked, explain: search.explain === true }));
  });
  return (
    <form role="search" aria-label="Memory" className={styles.form} onSubmit={submit}>
      <Bar>
        <TextField
          label="Words"
          type="search"
          size={48}
          value={words}
          maxLength={16_000}
          onChange={setWords}
        />
        <Button type="submit" kind="primary">
          Search
        </Button>
      </Bar>
      <KindChoice kinds={kinds} choose={setKinds} />
      <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>More filters</summary>
        <div className={styles.filters}>
          <SelectField
            label="Space"
            value={space}
            options={[['', 'all'], ...SPACES]}
            onChange={setSpace}
          />
          <SelectField
            label="Ranking"
            value={ranking}
            options={[['', 'latest'], '1', '2']}
            onChange={setRanking}
          />
          {TEXT_NAMES.filter((name) => name !== 'as_of' || !isPast).map((name) => (
            <TextField
              key={name}
              label={TEXTS[name].label}
              value={texts[name]}
              placeholder={TEXTS[name].placeholder}
              maxLength={128}
              onChange={(value) => setTexts({ ...texts, [name]: value })}
            />
          ))}
        </div>
      </details>
    </form>
  );
}

const textsIn = (search: SearchSearch): Readonly<Record<TextName, string>> => {
  const { job = '', session = '', from = '', to = '', as_of = '', max } = search;
  return { job, session, from, to, as_of, max: max?.toString() ?? '' };
};

const hasText = (texts: Readonly<Record<TextName, string>>): boolean =>
  Object.values(texts).some((text) => text !== '');

interface KindChoiceProps {
  readonly kinds: readonly SearchKind[];
  readonly choose: (kinds: readonly SearchKind[]) => void;
}

const KindChoice = ({ kinds, choose }: KindChoiceProps) => (
  <fieldset className={styles.kinds}>
    <legend>Kinds (none means all)</legend>
    {SEARCH_KINDS.map((kind) => (
      <label key={kind}>
        <input
          type="checkbox"
          checked={kinds.includes(kind)}
          onChange={(event) =>
            choose(
              event.target.checked ? [...kinds, kind] : kinds.filter((other) => other !== kind),
            )
          }
        />
        {KIND_WORDS[kind]}
      </label>
    ))}
  </fieldset>
);
