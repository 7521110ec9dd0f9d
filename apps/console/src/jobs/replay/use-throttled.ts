import { useEffect, useRef, useState } from 'react';

/** Returns the value, at most once in `ms`: a first change at once, and the last of many that come quickly. */
export function useThrottled<Value>(value: Value, ms: number): Value {
  const [shown, setShown] = useState(value);
  const changed = useRef(0);
  useEffect(() => {
    const show = (): void => {
      changed.current = performance.now();
      setShown(value);
    };
    const wait = changed.current + ms - performance.now();
    if (wait <= 0) return show();
    const later = setTimeout(show, wait);
    return () => clearTimeout(later);
  }, [value, ms]);
  return shown;
}
