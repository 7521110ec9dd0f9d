import { useEffect, useRef, useState } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import styles from './plot.module.css';

/** Returns a number that changes whenever the page changes between light and dark. */
function useColourChanges(): number {
  const [changes, setChanges] = useState(0);
  useEffect(() => {
    const change = (): void => setChanges((count) => count + 1);
    const chosen = new MutationObserver(change);
    chosen.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    const ofMachine = matchMedia('(prefers-color-scheme: dark)');
    ofMachine.addEventListener('change', change);
    return () => {
      chosen.disconnect();
      ofMachine.removeEventListener('change', change);
    };
  }, []);
  return changes;
}

/** Returns a colour of the theme by the name of its token, such as `--good`, as a canvas takes it. */
export type ColourOf = (token: string) => string;

interface PlotProps {
  /** Makes the options; it is called again when the colours change. Must be stable. */
  readonly optionsOf: (colour: ColourOf) => Omit<uPlot.Options, 'width'>;
  readonly data: uPlot.AlignedData;
}

/** A drawing for those who see it. The same numbers must stand in words beside it. */
export function Plot({ optionsOf, data }: PlotProps) {
  const host = useRef<HTMLDivElement>(null);
  const colours = useColourChanges();
  useEffect(() => {
    const element = host.current;
    if (element === null) return undefined;
    const widthNow = (): number => element.clientWidth;
    const options = { ...optionsOf(colourIn(element)), width: widthNow() };
    const plot = new uPlot(options, data, element);
    const observer = new ResizeObserver(() =>
      plot.setSize({ width: widthNow(), height: options.height }),
    );
    observer.observe(element);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [optionsOf, data, colours]);
  return <div ref={host} className={styles.plot} aria-hidden="true" />;
}

/** A canvas does not know the tokens of the styles, so the element resolves them. */
const colourIn =
  (element: HTMLElement): ColourOf =>
  (token) => {
    element.style.color = `var(${token})`;
    const { color } = getComputedStyle(element);
    element.style.color = '';
    return color;
  };
