/**
 * Returns when this person was here before, in this browser; undefined on the first visit. A visit lasts as long as the
 * tab, so that a reload shows the same.
 */
export function lastVisit(sub: string): string | undefined {
  const key = `mace.visit.${sub}`;
  const kept = sessionStorage.getItem(key);
  if (kept !== null) return kept === '' ? undefined : kept;
  const before = localStorage.getItem(key);
  sessionStorage.setItem(key, before ?? '');
  localStorage.setItem(key, new Date().toISOString());
  return before ?? undefined;
}
