import { createLink } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, ButtonHTMLAttributes } from 'react';

interface Looks {
  kind?: 'primary' | 'plain' | 'danger' | undefined;
  small?: boolean | undefined;
}

const classOf = ({ kind = 'plain', small = false }: Looks): string =>
  `button button-${kind}${small ? ' button-small' : ''}`;

export interface ButtonProps extends Looks, Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className'> {
  /** While it works: it says so, and takes no second press. It stays focusable. */
  busy?: boolean;
}

export function Button({ kind, small, busy = false, type = 'button', onClick, children, ...rest }: ButtonProps) {
  return (
    <button
      {...rest}
      type={busy ? 'button' : type}
      className={classOf({ kind, small })}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
    >
      {children}
    </button>
  );
}

/** A link that looks like a button: `<ButtonLink to="/launch" kind="primary">Run a dataset</ButtonLink>`. */
export const ButtonLink = createLink(
  ({ kind, small, ...rest }: Looks & Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'className'>) => (
    <a {...rest} className={classOf({ kind, small })} />
  ),
);

/** The same for addresses outside of the app: files of the API. */
export function FileLink({ kind, small, ...rest }: Looks & Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'className'>) {
  return <a {...rest} className={classOf({ kind, small })} download />;
}
