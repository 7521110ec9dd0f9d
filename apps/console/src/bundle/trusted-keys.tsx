import { useState } from 'react';
import { Field } from '../ui/field';
import { keyIdsIn } from './signature';
import styles from './bundle.module.css';

interface TrustedKeysProps {
  /** The ids of the keys that this service publishes; undefined if it could not be asked. */
  readonly ofService: readonly string[] | undefined;
  readonly trust: (keyIds: readonly string[]) => void;
}

/** The keys by which a signature is trusted: those of the service that served this page, and pasted ones. */
export function TrustedKeys({ ofService, trust }: TrustedKeysProps) {
  const [text, setText] = useState('');
  const pasted = keyIdsIn(text);
  const problem =
    text.trim() !== '' && pasted.length === 0
      ? 'This is no Ed25519 key: paste a JWK set, a JWK or a public key as PEM.'
      : undefined;
  const change = (next: string): void => {
    setText(next);
    trust(keyIdsIn(next));
  };
  return (
    <details className={styles.keys} open={ofService === undefined}>
      <summary>
        Trusted keys: {ofService?.length ?? 0} of this service, {pasted.length} of your own
      </summary>
      {ofService?.map((id) => (
        <p key={id}>
          <code>{id}</code> from this service
        </p>
      ))}
      {pasted.map((id) => (
        <p key={id}>
          <code>{id}</code> from you
        </p>
      ))}
      <Field
        label="Keys of another service"
        hint="The content of its /.well-known/jwks.json, or a public key as PEM. Get it on a way that you trust."
        problem={problem}
      >
        {(field) => (
          <textarea
            {...field}
            rows={3}
            value={text}
            onChange={(event) => change(event.target.value)}
          />
        )}
      </Field>
      <Field label="Key file">
        {(field) => (
          <input
            {...field}
            type="file"
            accept=".json,.pem,.jwk"
            onChange={(event) => void event.target.files?.[0]?.text().then(change)}
          />
        )}
      </Field>
    </details>
  );
}
