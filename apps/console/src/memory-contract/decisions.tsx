import { useInfiniteQuery } from '@tanstack/react-query';
import type { Json } from '#client/index.js';
import { plainView } from '#domain/plain-view.js';
import { useMoment } from '../moment/use-moment';
import { useMace } from '../session/session-provider';
import { Answered } from '../ui/answered';
import { SelectField } from '../ui/field';
import { JsonView } from '../ui/json-view';
import { Message } from '../ui/message';
import { MoreButton } from '../ui/more-button';
import { Bar, Section } from '../ui/section';
import type { StorePartProps } from './spaces-search';
import cards from '../ui/cards.module.css';

const PAGE = 50;

/** The decisions of recalls and interactions, in the order in which they were made, in Plain or as JSON. */
export function Decisions({ space, owner, search, show }: StorePartProps) {
  const isPlain = search.format === 'plain';
  return (
    <Section title="Decisions">
      <Bar>
        <SelectField
          label="Shown as"
          value={isPlain ? 'plain' : 'json'}
          options={[
            ['json', 'JSON'],
            ['plain', 'Plain'],
          ]}
          onChange={(value) =>
            show({ view: 'decisions', ...(value === 'plain' ? { format: 'plain' } : {}) })
          }
        />
      </Bar>
      <DecisionList space={space} owner={owner} isPlain={isPlain} />
    </Section>
  );
}

type DecisionListProps = Pick<StorePartProps, 'space' | 'owner'> & { readonly isPlain: boolean };

function DecisionList({ space, owner, isPlain }: DecisionListProps) {
  const mace = useMace();
  const moment = useMoment();
  const traces = useInfiniteQuery({
    queryKey: ['decisions', space, owner, moment],
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) =>
      mace.memory.traces(space, owner, { from: pageParam, limit: PAGE, ...moment }, { signal }),
    getNextPageParam: ({ next_from }) => next_from ?? undefined,
  });
  return (
    <Answered query={traces} what="the decisions">
      {({ pages }) => {
        const rows = pages.flatMap((page) => page.traces);
        if (rows.length === 0)
          return (
            <Message title="No decision is recorded here">
              <p>Decisions stand in the space of the session in which they were made.</p>
            </Message>
          );
        return (
          <>
            <ol className={cards.cards}>
              {rows.map((trace) => {
                const label = `Decision ${trace.number}: ${trace.type}`;
                const json = trace as unknown as { readonly [name: string]: Json };
                return (
                  <li key={trace.number} className={cards.card}>
                    <h3>{label}</h3>
                    <JsonView value={isPlain ? plainView(json) : json} label={label} />
                  </li>
                );
              })}
            </ol>
            <MoreButton list={traces} />
          </>
        );
      }}
    </Answered>
  );
}
