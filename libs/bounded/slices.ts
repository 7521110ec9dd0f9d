/** The time in ms that long work may take of each turn of the event loop, and one work before the next has its share. */
const TURN_MS = 5;
const SHARE_MS = 2;

/** Does slices of one work until a time; returns true once the work has ended. */
type Share = (until: number) => boolean;

/** Works that have had no share yet, and those that have. They take turns, so short work does not wait for all others. */
const fresh: Share[] = [];
const begun: Share[] = [];
let isBegunNext = false;
let usedMs = 0;
let isScheduled = false;

/**
 * Does long work in slices, so that other requests are answered meanwhile: all works together take 5 ms of each turn
 * of the event loop, and take turns after 2 ms. Work that is shorter mostly ends in the present turn.
 */
export function inSlices<Result>(work: Iterator<unknown, Result, undefined>): Promise<Result> {
  return new Promise((resolve, reject) => {
    fresh.push((until) => {
      try {
        do {
          const slice = work.next();
          if (slice.done === true) {
            resolve(slice.value);
            return true;
          }
        } while (performance.now() < until);
        return false;
      } catch (error) {
        // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- passes on what the work throws
        reject(error);
        return true;
      }
    });
    useTurn();
  });
}

/** Gives the waiting works their shares of the rest of this turn, and schedules the next turn. */
function useTurn(): void {
  while (usedMs < TURN_MS) {
    const share = nextShare();
    if (share === undefined) break;
    const began = performance.now();
    if (!share(began + SHARE_MS)) begun.push(share);
    usedMs += performance.now() - began;
  }
  if (isScheduled) return;
  isScheduled = true;
  setImmediate(() => {
    isScheduled = false;
    usedMs = 0;
    if (fresh.length + begun.length > 0) useTurn();
  });
}

function nextShare(): Share | undefined {
  isBegunNext = !isBegunNext;
  return isBegunNext ? (fresh.shift() ?? begun.shift()) : (begun.shift() ?? fresh.shift());
}
