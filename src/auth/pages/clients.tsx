import { send } from '../../console/client/api.ts';
import { session } from '../../console/client/session.ts';
import { Ago } from '../../console/client/ui/ago.tsx';
import { confirmed } from '../../console/client/ui/dialog.tsx';
import { Empty } from '../../console/client/ui/empty.tsx';
import { Action } from '../../console/client/ui/fields.tsx';
import { say } from '../../console/client/ui/notice.tsx';
import { type Column, Table } from '../../console/client/ui/table.tsx';
import type { ClientsAnswer, ShownClient } from './answers.ts';
import { Scopes } from './scope-list.tsx';

const MOST_SHOWN = 200;

interface ClientsProps {
  readonly answer: ClientsAnswer;
  readonly reload: () => Promise<void>;
}

/** Programs that somebody let in through the built-in authorization server. */
export function Clients({ answer: { builtin, clients, withoutAccess }, reload }: ClientsProps) {
  if (clients.length === 0) {
    return builtin ? (
      <Empty title="No program has signed in yet">
        Add this gateway to an assistant such as Claude or ChatGPT by its address. It opens a page that asks you.
      </Empty>
    ) : (
      <p class="quiet">
        The built-in authorization server is off. With{' '}
        <code>{'auth: { mode: [keys, oauth], oauth: { builtin: true } }'}</code> in sluice.yaml, assistants sign in
        instead of sending a key.
      </p>
    );
  }
  return (
    <section class="access">
      <Table
        label="OAuth clients"
        columns={columns(reload)}
        rows={clients.slice(0, MOST_SHOWN)}
        keyOf={({ id }) => id}
      />
      {clients.length > MOST_SHOWN && <p class="quiet">… and {clients.length - MOST_SHOWN} more.</p>}
      {withoutAccess !== undefined && (
        <p class="quiet">
          {withoutAccess === 1 ? 'One more program has' : `${withoutAccess} more programs have`} registered without
          getting access. Sluice forgets them.
        </p>
      )}
    </section>
  );
}

const columns = (reload: () => Promise<void>): Column<ShownClient>[] => [
  {
    title: 'Name',
    cell: ({ name, redirects }) => (
      <div>
        <b>
          <bdi>{name}</bdi>
        </b>
        {redirects.length > 0 && (
          <div class="quiet">
            <bdi>{redirects.join(', ')}</bdi>
          </div>
        )}
      </div>
    ),
  },
  { title: 'May', cell: ({ grants }) => <Scopes scopes={[...new Set(grants.flatMap(({ scopes }) => scopes))]} /> },
  { title: 'Since', cell: ({ since }) => <Ago at={since} /> },
  { title: 'Last token', cell: ({ usedAt }) => <Ago at={usedAt} /> },
  {
    title: 'Do',
    cell: (client) => (
      <Action kind="plain" disabled={session.value?.readOnly === true} run={() => revoke(client, reload)}>
        Revoke
      </Action>
    ),
  },
];

async function revoke({ id, name }: ShownClient, reload: () => Promise<void>): Promise<void> {
  const agreed = await confirmed({
    title: 'Revoke the access of this program?',
    yes: 'Revoke it',
    danger: true,
    text: (
      <p>
        <bdi>{name}</bdi> loses access at once, wherever it runs. It can ask again, and you decide again.
      </p>
    ),
  });
  if (agreed === undefined) return;
  await send('DELETE', `api/v1/clients/${encodeURIComponent(id)}`);
  say(`Revoked the access of ${name}.`);
  await reload();
}
