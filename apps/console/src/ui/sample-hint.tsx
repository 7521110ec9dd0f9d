/** Says on an empty page how the service gets something to look at. */
export const SampleHint = () => (
  <p>
    Run <code>npx mace sample</code> to fill this service with a story.
  </p>
);
