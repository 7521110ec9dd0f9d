import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { given, type SearchProps } from '../data/search-params';
import { useMoment } from '../moment/use-moment';
import { useMace } from '../session/session-provider';
import { Answered } from '../ui/answered';
import { Message } from '../ui/message';
import { MoreButton } from '../ui/more-button';
import { PageHeader } from '../ui/page-header';
import { Section, Sections } from '../ui/section';
import { WhyLink } from '../why/why-link';
import { FactComparison } from './fact-comparison';
import { FactHistory } from './fact-history';
import { FactValue } from './fact-value';
import { type FactSearch, factSearchOf } from './facts-search';

const route = getRouteApi('/shell/facts/$scope/$type/$id/$attribute');

/** One fact: its value now or at an earlier state, its history, and the difference between two versions. */
export function FactPage() {
  const { scope, type, id, attribute } = route.useParams();
  const key = `${scope}/${type}/${id}/${attribute}`;
  const search = route.useSearch({ select: factSearchOf });
  const navigate = useNavigate({ from: '/facts/$scope/$type/$id/$attribute' });
  const show = (next: FactSearch) => void navigate({ search: next, resetScroll: false });
  return (
    <>
      <PageHeader
        title={key}
        about={
          <Link to="/facts" search={{ prefix: `${scope}/${type}/` }}>
            All facts under {`${scope}/${type}/`}
          </Link>
        }
      >
        <WhyLink kind="fact" id={key}>
          Why is this so?
        </WhyLink>
      </PageHeader>
      <FactParts key={key} of={key} search={search} show={show} />
    </>
  );
}

const PAGE = 20;

interface FactPartsProps extends SearchProps<FactSearch> {
  readonly of: string;
}

function FactParts({ of, search, show }: FactPartsProps) {
  const mace = useMace();
  const moment = useMoment();
  const history = useInfiniteQuery({
    queryKey: ['fact-history', of, moment],
    initialPageParam: undefined as number | undefined,
    queryFn: async ({ pageParam, signal }) => {
      const page = { ...moment, ...given({ before: pageParam }), limit: PAGE };
      return (await mace.sem.history(of, page, { signal })) ?? null;
    },
    getNextPageParam: (page) => page?.next_before ?? undefined,
  });
  return (
    <Answered query={history} what="the fact">
      {({ pages }) => {
        const events = pages.flatMap((page) => page?.events ?? []);
        if (events.length === 0)
          return (
            <Message
              title={
                moment.at === undefined
                  ? 'Nothing was ever written under this key'
                  : 'Nothing was written under this key by then'
              }
            >
              <Link to="/facts">Look through the facts</Link>
            </Message>
          );
        return (
          <Sections>
            <FactValue of={of} search={search} show={show} />
            <Section title="History">
              <FactHistory events={events} of={of} />
              <MoreButton list={history} />
            </Section>
            <FactComparison {...{ of, events, search, show }} />
          </Sections>
        );
      }}
    </Answered>
  );
}
