/** Returns a `fetch` that cannot reach routes whose path ends so, such as `/v1/remember`. */
export const failingAt = (end) => async (input, init) => {
  const { pathname } = new URL(input instanceof Request ? input.url : input);
  return pathname.endsWith(end) ? Response.error() : fetch(input, init);
};
