/**
 * A decision that is asked for twice, to answer and to append, is made once: the last one is kept. What it
 * gives is the same either way: it depends on the state and the command alone, and neither ever changes. Kept
 * by a weak map, each would outlive many collections of what is young, and cost more than it saves.
 */
export function remembered<State, Command, Outcome>(
  decide: (state: State, command: Command) => Outcome,
): (state: State, command: Command) => Outcome {
  let last: { state: State; command: Command; outcome: Outcome } | undefined;
  return (state, command) => {
    if (last?.state === state && last.command === command) return last.outcome;
    const outcome = decide(state, command);
    last = { state, command, outcome };
    return outcome;
  };
}
