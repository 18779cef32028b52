import { type Judgement, judged } from './judgement.ts';
import { quoted } from './quoted.ts';
import type { Scene } from './scene.ts';

export const judgeSuperuser = ({ user, isSuperuser, seesAll, database }: Scene['server']): Judgement =>
  judged(
    isSuperuser
      ? [
          {
            severity: 'warning',
            what: `Sluice connects as ${user}, a superuser: no right of PostgreSQL limits what its tools may read.`,
            fix: `CREATE ROLE sluice_reader LOGIN PASSWORD '…' IN ROLE pg_monitor, pg_read_all_data; GRANT CONNECT ON DATABASE ${quoted(database)} TO sluice_reader; and use it in the url of this module.`,
          },
        ]
      : [],
    {
      bad: `${user} is a superuser.`,
      ok: `${user} is no superuser${seesAll ? '' : `. GRANT pg_monitor TO ${quoted(user)}; would let the checks see all sessions and settings`}.`,
    },
  );
