/**
 * A decision that is asked for twice, to answer and to append, is made once. What it gives is the same either
 * way: it depends on the state and the command alone, and neither ever changes.
 */
export function remembered<State extends object, Command extends object, Outcome>(
  decide: (state: State, command: Command) => Outcome,
): (state: State, command: Command) => Outcome {
  const last = new WeakMap<Command, { readonly state: State; readonly outcome: Outcome }>();
  return (state, command) => {
    const known = last.get(command);
    if (known?.state === state) return known.outcome;
    const outcome = decide(state, command);
    last.set(command, { state, outcome });
    return outcome;
  };
}
