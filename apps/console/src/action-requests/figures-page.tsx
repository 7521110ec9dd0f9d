import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useRead } from '../data/queries';
import { Answered } from '../ui/answered';
import { SelectField } from '../ui/field';
import { Instant } from '../ui/instant';
import { Message } from '../ui/message';
import { PageHeader } from '../ui/page-header';
import { Section } from '../ui/section';
import { FiguresOverTime } from './figures-over-time';
import { FiguresTable } from './figures-table';
import { PERIODS } from './figures-search';
import styles from './requests.module.css';

const route = getRouteApi('/shell/requests/figures');
const DAY_MS = 86_400_000;
/** Periods end at full minutes, so that the page asks for the same figures again within one. */
const MINUTE_MS = 60_000;

/** The last days up to now. The first one is whole, so that each day can be compared with the others. */
function lastDays(days: number) {
  const to = Math.ceil(Date.now() / MINUTE_MS) * MINUTE_MS;
  const today = Math.floor((to - 1) / DAY_MS) * DAY_MS;
  const from = today - (days - 1) * DAY_MS;
  return { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
}

/** The council's own figures: what human oversight is asked to show. */
export function FiguresPage() {
  const { days = 30 } = route.useSearch();
  const navigate = useNavigate();
  const figures = useRead(['requests', 'figures', days], (mace, call) =>
    mace.actionRequests.figures(lastDays(days), call),
  );
  return (
    <>
      <PageHeader
        title="Figures"
        about="How the council has decided, by requests that were closed."
      >
        <Link to="/requests">Back to the queue</Link>
      </PageHeader>
      <div className={styles.column}>
        <div className={styles.period}>
          <SelectField
            label="Period"
            value={String(days)}
            options={PERIODS.map((count) => [String(count), `The last ${count} days`])}
            onChange={(value) =>
              void navigate({
                to: '/requests/figures',
                search: { days: Number(value) },
                replace: true,
              })
            }
          />
        </div>
        <Answered query={figures} what="the figures">
          {(data) => (
            <>
              {data.decided + data.expired === 0 && (
                <Message title="No request was closed in this period">
                  <p>Choose a longer period, or decide on what waits in the queue.</p>
                </Message>
              )}
              <p className={styles.muted}>
                From <Instant at={data.from} /> to <Instant at={data.to} />
              </p>
              {data.decided + data.expired > 0 && <FiguresOverTime figures={data} />}
              <Section title="In all">
                <FiguresTable figures={data} />
              </Section>
            </>
          )}
        </Answered>
      </div>
    </>
  );
}
