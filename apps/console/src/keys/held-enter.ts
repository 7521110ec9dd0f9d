/** A field in which a held Enter writes lines. */
const LINES = 'textarea, [contenteditable]';

/**
 * Makes a held Enter work its button once: the browser would press the button again with each repetition, and so the
 * next one too, if the focus has moved to a dialog or to the next request. The same holds for Ctrl Enter in a form.
 */
export function pressHeldEnterOnce(): void {
  document.addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Enter' || !event.repeat) return;
      const writes = event.target instanceof Element && event.target.closest(LINES) !== null;
      if (writes && !event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      event.stopPropagation();
    },
    true,
  );
}
