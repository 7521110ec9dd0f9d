import { Field, TextArea } from '../ui/field';
import { keyIdsIn } from './signature';
import styles from './bundle.module.css';

interface TrustedKeysProps {
  /** The ids of the keys that this service publishes; undefined if it could not be asked. */
  readonly ofService: readonly string[] | undefined;
  /** The keys of the reader's own, as they were pasted, chosen or dropped. */
  readonly text: string;
  readonly change: (text: string) => void;
}

/** The keys by which a signature is trusted: those of the service that served this page, and the reader's own. */
export function TrustedKeys({ ofService, text, change }: TrustedKeysProps) {
  const own = keyIdsIn(text);
  const problem =
    text.trim() !== '' && own.length === 0
      ? 'This is no Ed25519 key: paste a JWK set, a JWK or a public key as PEM.'
      : undefined;
  return (
    <details className={styles.keys} open={ofService === undefined}>
      <summary>
        Trusted keys: {ofService?.length ?? 0} of this service, {own.length} of your own
      </summary>
      {ofService?.map((id) => (
        <p key={id}>
          <code>{id}</code> from this service
        </p>
      ))}
      {own.map((id) => (
        <p key={id}>
          <code>{id}</code> from you
        </p>
      ))}
      <TextArea
        label="Keys of another service"
        hint="The content of its /.well-known/jwks.json, or a public key as PEM. Get it on a way that you trust."
        problem={problem}
        rows={3}
        value={text}
        onChange={change}
      />
      <Field label="Key file" hint="Choose it, or drop it anywhere on this page.">
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
