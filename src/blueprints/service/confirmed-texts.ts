import type { Principal } from '../../kernel/principal.ts';
import type { Tables } from '../../store/store.ts';
import type { Ready } from './definitions.ts';

/** Of one principal; the ones confirmed last stay. */
const MOST_OF_ONE = 1000;
const MOST_NAMED = 5;

/** What somebody else wrote, and who. */
type Foreign = Ready['authors'];

/**
 * Which definitions of others a principal has confirmed, by their hash. Steps run with the rights of whoever deploys: what
 * somebody else can save must not run with them unasked.
 */
export function confirmedTexts(tables: Tables, nameOf: (principal: string) => Promise<string>, now = Date.now) {
  const foreignIn = ({ authors }: Pick<Ready, 'authors'>, { id }: Principal): Foreign =>
    authors.filter(({ by }) => by !== id);

  return {
    /** Sentences about what others wrote, if this principal has not confirmed exactly that before. */
    async asks(ready: Pick<Ready, 'authors' | 'hash'>, principal: Principal): Promise<string | undefined> {
      const foreign = foreignIn(ready, principal);
      if (foreign.length === 0) return undefined;
      const known = await tables.rows(
        'SELECT 1 AS one FROM blueprint_confirmed WHERE principal = ? AND hash = ?',
        principal.id,
        ready.hash,
      );
      if (known.length > 0) return undefined;
      const named = await Promise.all(
        foreign.slice(0, MOST_NAMED).map(async ({ name, by }) => `${name} was saved by ${await nameOf(by)}`),
      );
      const more = foreign.length > MOST_NAMED ? `, and ${foreign.length - MOST_NAMED} more by others` : '';
      return `${named.join(', ')}${more}. You have not confirmed this version yet, and its steps run with your rights. blueprint_show shows what they do.`;
    },
    /** It was confirmed, and is deployed. */
    async remember(ready: Pick<Ready, 'authors' | 'hash'>, principal: Principal): Promise<void> {
      if (foreignIn(ready, principal).length === 0) return;
      await tables.change(
        `INSERT INTO blueprint_confirmed (principal, hash, at) VALUES (?, ?, ?)
         ON CONFLICT (principal, hash) DO UPDATE SET at = excluded.at`,
        principal.id,
        ready.hash,
        now(),
      );
      await tables.change(
        `DELETE FROM blueprint_confirmed WHERE principal = ? AND hash NOT IN
           (SELECT hash FROM blueprint_confirmed WHERE principal = ? ORDER BY at DESC LIMIT ?)`,
        principal.id,
        principal.id,
        MOST_OF_ONE,
      );
    },
  };
}
