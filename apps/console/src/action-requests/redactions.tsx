import type { Dossier } from '#client/index.js';
import styles from './requests.module.css';

/** What the privacy gate took out, and by which rule; never the data itself (SPEC P3). */
export function Redactions({ redactions }: { readonly redactions: Dossier['redactions'] }) {
  if (redactions.length === 0) return null;
  return (
    <section className={styles.section}>
      <h2>What was redacted</h2>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Where</th>
            <th scope="col">Rule</th>
            <th scope="col">Reason</th>
          </tr>
        </thead>
        <tbody>
          {redactions.map(({ field, rule, reason }, index) => (
            <tr key={index}>
              <td>
                <code>{field}</code>
              </td>
              <td>{rule}</td>
              <td>{reason}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
