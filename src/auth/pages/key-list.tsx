import { send } from '../../console/client/api.ts';
import { useQuery } from '../../console/client/data.ts';
import { session, signOut } from '../../console/client/session.ts';
import { Ago } from '../../console/client/ui/ago.tsx';
import { confirmed } from '../../console/client/ui/dialog.tsx';
import { Empty } from '../../console/client/ui/empty.tsx';
import { Action, Search } from '../../console/client/ui/fields.tsx';
import { say } from '../../console/client/ui/notice.tsx';
import { State } from '../../console/client/ui/state.tsx';
import { type Column, Table } from '../../console/client/ui/table.tsx';
import type { KeysAnswer, ShownKey } from './answers.ts';
import { limitsInWords } from './limits.ts';
import { Scopes } from './scope-list.tsx';

const FEW = 8;
const MOST_SHOWN = 200;

interface KeyListProps {
  readonly answer: KeysAnswer;
  readonly make: () => void;
  readonly reload: () => Promise<void>;
}

/** The keys that work, and below them those that do not any more. */
export function KeyList({ answer, make, reload }: KeyListProps) {
  const [{ q = '' }, change] = useQuery();
  const working = answer.keys.filter(({ state }) => state === 'works');
  const ended = answer.keys.filter(({ state }) => state !== 'works');
  const wanted = q.toLowerCase();
  const found = working.filter(({ name, id }) => name.toLowerCase().includes(wanted) || id.includes(wanted));
  return (
    <section class="access">
      <h2>Keys</h2>
      {working.length > FEW && (
        <div class="bar">
          <Search label="Find a key" value={q} onSearch={(next) => change({ q: next })} />
        </div>
      )}
      {working.length === 0 ? (
        <Empty title="No key works yet">
          Programs that use this gateway send a key.{' '}
          <button type="button" class="plain" onClick={make}>
            Make one
          </button>{' '}
          for each program, so that you can revoke them one by one.
        </Empty>
      ) : found.length === 0 ? (
        <p class="quiet">No key that works is called that.</p>
      ) : (
        <Table label="Keys" columns={columns(reload)} rows={found.slice(0, MOST_SHOWN)} keyOf={({ id }) => id} />
      )}
      {found.length > MOST_SHOWN && <p class="quiet">… and {found.length - MOST_SHOWN} more. Search by name.</p>}
      {ended.length > 0 && (
        <details class="ended">
          <summary>Revoked and expired keys ({ended.length + (answer.olderRevoked ?? 0)})</summary>
          <Table label="Revoked and expired keys" columns={endedColumns} rows={ended} keyOf={({ id }) => id} />
        </details>
      )}
    </section>
  );
}

const isMine = ({ id }: ShownKey): boolean => session.value?.principal === `key:${id}`;

const name: Column<ShownKey> = {
  title: 'Name',
  cell: (key) => (
    <div>
      <b>
        <bdi>{key.name}</bdi>
      </b>
      {isMine(key) && <span class="you"> this is you</span>}
      <br />
      <code class="quiet">{key.id}</code>
    </div>
  ),
};

const rights: Column<ShownKey> = {
  title: 'May',
  cell: (key) => (
    <div>
      <Scopes scopes={key.scopes} />
      {limitsInWords(key).length > 0 && (
        <div class="quiet">
          <bdi>{limitsInWords(key).join('; ')}</bdi>
        </div>
      )}
    </div>
  ),
};

const columns = (reload: () => Promise<void>): Column<ShownKey>[] => [
  name,
  rights,
  {
    title: 'Last used',
    cell: ({ usedAt }) => (usedAt === undefined ? <span class="quiet">never</span> : <Ago at={usedAt} />),
  },
  {
    title: 'Expires',
    cell: ({ expiresAt }) => (expiresAt === undefined ? <span class="quiet">never</span> : <Ago at={expiresAt} />),
  },
  {
    title: 'Made',
    cell: ({ createdAt, createdBy }) => (
      <div>
        <Ago at={createdAt} />
        <div class="quiet">
          by <bdi>{createdBy}</bdi>
        </div>
      </div>
    ),
  },
  {
    title: 'Do',
    cell: (key) => (
      <Action kind="plain" disabled={session.value?.readOnly === true} run={() => revoke(key, reload)}>
        Revoke
      </Action>
    ),
  },
];

const endedColumns: Column<ShownKey>[] = [
  name,
  rights,
  { title: 'State', cell: ({ state }) => <State of={state} /> },
  { title: 'Ended', cell: ({ revokedAt, expiresAt }) => <Ago at={revokedAt ?? expiresAt} /> },
  {
    title: 'Last used',
    cell: ({ usedAt }) => (usedAt === undefined ? <span class="quiet">not known</span> : <Ago at={usedAt} />),
  },
];

async function revoke(key: ShownKey, reload: () => Promise<void>): Promise<void> {
  const mine = isMine(key);
  const agreed = await confirmed({
    title: 'Revoke this key?',
    yes: mine ? 'Revoke it and sign me out' : 'Revoke it',
    danger: true,
    text: (
      <p>
        Every program that uses <bdi>{key.name}</bdi> loses access at once. This cannot be undone; a new key has another
        secret.{mine && <b> You are signed in with this key: you will be signed out.</b>}
      </p>
    ),
  });
  if (agreed === undefined) return;
  await send('DELETE', `api/v1/keys/${encodeURIComponent(key.id)}`);
  if (mine) return signOut('You revoked the key that you were signed in with.');
  say(`Revoked ${key.name}.`);
  await reload();
}
