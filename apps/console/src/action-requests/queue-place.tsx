import styles from './requests.module.css';

interface QueuePlaceProps {
  /** undefined for a request that the queue does not show. */
  readonly place: { readonly number: number; readonly total: number | undefined } | undefined;
}

/** Where the request stands in the queue: `4 of 36`. */
export const QueuePlace = ({ place }: QueuePlaceProps) =>
  place && (
    <span className={styles.place}>
      {place.number}
      {place.total === undefined ? '' : ` of ${place.total}`}
    </span>
  );
