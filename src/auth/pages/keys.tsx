import { useSignal } from '@preact/signals';
import { get } from '../../console/client/api.ts';
import { useData } from '../../console/client/data.ts';
import { session } from '../../console/client/session.ts';
import { Loaded, Page } from '../../console/client/ui/page.tsx';
import type { ClientsAnswer, KeysAnswer } from './answers.ts';
import { Clients } from './clients.tsx';
import { KeyList } from './key-list.tsx';
import { NewKey } from './new-key.tsx';
import { ScopeList } from './scope-list.tsx';

const EVERY_MS = 10_000;

/** Who has access to the gateway. */
export default function KeysPage() {
  const keys = useData((signal) => get<KeysAnswer>('api/v1/keys', signal), [], EVERY_MS);
  const clients = useData((signal) => get<ClientsAnswer>('api/v1/clients', signal), [], EVERY_MS);
  const making = useSignal(false);
  const make = () => (making.value = true);
  return (
    <Page
      title="Keys and clients"
      lead="Who has access to this gateway, and what they may do."
      actions={
        !session.value?.readOnly && (
          <button type="button" class="main" onClick={make}>
            Make a key
          </button>
        )
      }
    >
      <Loaded data={keys} waiting="Reading the keys …">
        {(answer) => (
          <>
            <Asking answer={answer} />
            <KeyList answer={answer} make={make} reload={keys.reload} />
          </>
        )}
      </Loaded>
      <ScopeList />
      <h2>OAuth clients</h2>
      <Loaded data={clients} waiting="Reading the clients …">
        {(answer) => <Clients answer={answer} reload={clients.reload} />}
      </Loaded>
      {making.value && <NewKey close={() => (making.value = false)} made={keys.reload} />}
    </Page>
  );
}

/** Whether anybody is asked for a key at all. */
function Asking({ answer: { mode, asksForKeys, token } }: { answer: KeysAnswer }) {
  if (session.value?.open) {
    return (
      <p class="banner">
        Authentication is off: every program on this machine may do everything. To turn it on, make a key with the scope
        admin, write <code>{'auth: { mode: keys }'}</code> into sluice.yaml, and sign in with the key.
      </p>
    );
  }
  if (!asksForKeys && mode === 'oauth') {
    return (
      <p class="banner">
        This gateway accepts sign-ins only, no keys. To accept both, write <code>mode: [keys, oauth]</code> into{' '}
        <code>auth</code> in sluice.yaml.
      </p>
    );
  }
  if (!token) return null;
  return (
    <p class="quiet">
      <code>MCP_AUTH_TOKEN</code> is set, too: it is one more key, for everything. To end it, start Sluice without the
      variable.
    </p>
  );
}
