import { useState } from 'react';
import styles from './shell.module.css';
import { chooseTheme, storedTheme, type Theme, THEMES } from './theme';

const NAMES: Readonly<Record<Theme, string>> = {
  system: 'System colours',
  light: 'Light',
  dark: 'Dark',
};

/** Lets a person choose the colours. The browser keeps the choice. */
export function ThemeChoice() {
  const [theme, setTheme] = useState(storedTheme);
  return (
    <select
      aria-label="Colours"
      className={styles.theme}
      value={theme}
      onChange={({ target }) => {
        chooseTheme(target.value as Theme);
        setTheme(target.value as Theme);
      }}
    >
      {THEMES.map((each) => (
        <option key={each} value={each}>
          {NAMES[each]}
        </option>
      ))}
    </select>
  );
}
