import type { ButtonHTMLAttributes } from 'react';
import styles from './button.module.css';

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** `primary` for the one action of a page, `danger` for one that cannot be undone, `quiet` inside texts and rows. */
  readonly kind?: 'plain' | 'primary' | 'danger' | 'quiet';
}

export const Button = ({
  kind = 'plain',
  type = 'button',
  className = '',
  ...rest
}: ButtonProps) => (
  <button type={type} className={`${styles.button} ${styles[kind]} ${className}`} {...rest} />
);
