import { useSignal } from '@preact/signals';
import { call, Failed, get } from '../../../console/client/api.ts';
import { useData } from '../../../console/client/data.ts';
import { linkTo } from '../../../console/client/pages.ts';
import { Field, Tabs } from '../../../console/client/ui/fields.tsx';
import { Loaded, Page } from '../../../console/client/ui/page.tsx';
import { Waiting } from '../../../console/client/ui/waiting.tsx';
import { Added, type AddedAnswer } from './added.tsx';
import { entryOf, type Pair, problemIn, type Typed } from './entry.ts';
import { PairRows } from './pair-rows.tsx';
import type { ServerList } from './server.ts';

/** A form for a new server. It shows what becomes of it. */
export function AddServer() {
  const list = useData<ServerList>((signal) => get('api/v1/servers', signal));
  return (
    <Page title="Add a server" lead={<a href={linkTo('servers')}>All servers</a>}>
      <Loaded data={list} waiting="Asking what you may add …">
        {({ add }) => (add.may ? <Form commands={add.commands} /> : <p>{add.why}</p>)}
      </Loaded>
    </Page>
  );
}

const empty: readonly Pair[] = [{ name: '', value: '' }];

function Form({ commands }: Pick<ServerList['add'], 'commands'>) {
  const typed = useSignal<Typed>({ name: '', kind: 'url', url: '', command: '', pairs: empty });
  const problem = useSignal<string | undefined>(undefined);
  const running = useSignal(false);
  const answer = useSignal<AddedAnswer | undefined>(undefined);
  const { name, kind, url, command, pairs } = typed.value;
  const change = (next: Partial<Typed>) => {
    problem.value = undefined;
    typed.value = { ...typed.value, ...next };
  };

  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    problem.value = problemIn(typed.value);
    if (problem.value !== undefined) return;
    running.value = true;
    try {
      answer.value = await call<AddedAnswer>('gateway_add_server', { name, server: entryOf(typed.value) });
    } catch (error) {
      if (!(error instanceof Failed)) throw error;
      problem.value = error.message;
    } finally {
      running.value = false;
    }
  }

  if (answer.value)
    return (
      <Added
        answer={answer.value}
        another={() => {
          answer.value = undefined;
          change({ name: '', url: '', command: '', pairs: empty });
        }}
      />
    );
  return (
    <form class="card server-form" onSubmit={(event) => void submit(event)} noValidate>
      <Field label="Name" hint="Its tools begin with it. Letters, digits, “_” and “-”.">
        <input
          required
          maxLength={40}
          spellcheck={false}
          autocomplete="off"
          value={name}
          onInput={(event) => change({ name: event.currentTarget.value })}
        />
      </Field>
      <Tabs
        label="What it is"
        tabs={[
          ['url', 'A server elsewhere'],
          ['command', 'A program on this gateway'],
        ]}
        chosen={kind}
        onChoose={(id) => change({ kind: id === 'command' ? 'command' : 'url', pairs: empty })}
      />
      {kind === 'url' ? (
        <Field label="Address" hint="Where it serves MCP, for example https://example.com/mcp">
          <input
            type="url"
            required
            spellcheck={false}
            autocomplete="off"
            value={url}
            onInput={(event) => change({ url: event.currentTarget.value })}
          />
        </Field>
      ) : commands.may ? (
        <Field
          label="Command"
          hint="For example npx -y @scope/server --flag. Quotes keep words together; no shell runs it."
        >
          <input
            required
            spellcheck={false}
            autocomplete="off"
            value={command}
            onInput={(event) => change({ command: event.currentTarget.value })}
          />
        </Field>
      ) : (
        <p class="banner">{commands.why}</p>
      )}
      {(kind === 'url' || commands.may) && (
        <PairRows
          what={kind === 'url' ? 'Header' : 'Variable'}
          hint={
            kind === 'url'
              ? 'Such as Authorization with “Bearer …”. A server with OAuth needs none: you sign in afterwards.'
              : 'What the program finds in its environment. Values are stored encrypted.'
          }
          pairs={pairs}
          onChange={(next) => change({ pairs: next })}
        />
      )}
      {problem.value !== undefined && (
        <p class="warn" role="alert">
          <bdi>{problem.value}</bdi>
        </p>
      )}
      {running.value && (
        <Waiting>
          {kind === 'url' ? 'Connecting, and asking which tools it has' : 'Starting it, and asking which tools it has'}{' '}
          … A first start can take half a minute.
        </Waiting>
      )}
      <button type="submit" class="main" disabled={running.value || (kind === 'command' && !commands.may)}>
        {running.value ? 'Adding it …' : 'Add it'}
      </button>
    </form>
  );
}
