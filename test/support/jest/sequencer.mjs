import Sequencer from '@jest/test-sequencer';

/**
 * The files that take longest, as the last lines of a run list them. On a machine that has not run them yet, Jest
 * would order files by their size, and one of these would run alone at the end.
 */
const LONGEST = [
  'test/attacks/another-log',
  'test/console/action-requests',
  'test/console/pages',
  'test/faults/projector-takeover',
  'test/faults/service-two-instances',
  'test/faults/damage-at-rest',
  'test/processes/evaluate',
  'test/processes/mcp-transports',
  'test/contract/projection-rows',
  'test/contract/read-model-runner',
  'test/console/sign-in',
  'test/console/privacy',
  'test/faults/service-server-down',
  'test/faults/backup',
  'test/faults/memory-contract-promotions',
  'test/processes/event-store-setup',
  'test/golden/002-T31-storage-full',
  'test/contract/embedded-event-store-batch-append',
  'test/end-to-end/review-notices',
  'test/end-to-end/reflective-logs',
];

const placeOf = ({ path }) => {
  const place = LONGEST.findIndex((file) => path.replaceAll('\\', '/').endsWith(`${file}.test.ts`));
  return place < 0 ? LONGEST.length : place;
};

/** Runs the longest files first, and the others in Jest's order. */
export default class LongestFirst extends Sequencer {
  sort(files) {
    return super.sort(files).sort((one, other) => placeOf(one) - placeOf(other));
  }
}
