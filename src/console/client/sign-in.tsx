import { useSignal } from '@preact/signals';
import { Failed } from './api.ts';
import { session, signIn } from './session.ts';

/** For everybody without a session. */
export function SignIn({ why }: { why: string | undefined }) {
  const key = useSignal('');
  const problem = useSignal<string | undefined>(undefined);
  const busy = useSignal(false);

  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    busy.value = true;
    problem.value = undefined;
    try {
      await signIn({ key: key.value.trim() });
    } catch (error) {
      if (!(error instanceof Failed)) throw error;
      problem.value = error.message;
    }
    busy.value = false;
  }

  return (
    <main class="lone">
      <h1>This is a Sluice gateway</h1>
      <p>It turns many MCP servers and n8n into one MCP server. Sign in to see how it is doing.</p>
      {why !== undefined && <p class="banner">{why}</p>}
      {session.value?.ways?.key !== false && (
        <form onSubmit={(event) => void submit(event)}>
          <label class="field">
            <span>Key</span>
            <input
              type="password"
              autocomplete="off"
              spellcheck={false}
              required
              value={key.value}
              onInput={(event) => (key.value = event.currentTarget.value)}
            />
          </label>
          {problem.value !== undefined && (
            <p class="warn" role="alert">
              {problem.value}
            </p>
          )}
          <button type="submit" class="main" disabled={busy.value || key.value.trim() === ''}>
            {busy.value ? 'Signing in …' : 'Sign in'}
          </button>
        </form>
      )}
      <p class="quiet">
        No key yet? Run <code>sluice keys create --name me --scopes admin</code> on the gateway's machine.
      </p>
    </main>
  );
}
