import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { addressOf, Failed } from './api.ts';
import { session, signIn, type WaysIn } from './session.ts';

/** For everybody without a session. The address stays, so that one comes back to the same page. */
export function SignIn({ why }: { why: string | undefined }) {
  const ways = session.value?.ways;
  const [One, Other] = ways?.key || !ways?.password ? [KeyForm, PasswordForm] : [PasswordForm, KeyForm];
  const both = ways?.password && (ways.key || ways.token);
  const cameBack = failures.get(new URLSearchParams(location.search).get('sign-in') ?? '');
  useEffect(() => {
    document.title = 'Sign in – Sluice';
  }, []);
  return (
    <main class="lone">
      <img src="console/assets/icon.svg" alt="" width="32" height="32" />
      <h1>This is a Sluice gateway</h1>
      <p>It turns many MCP servers and n8n into one MCP server. Sign in to see how it is doing.</p>
      {why !== undefined && (
        <p class="banner" role="status">
          <bdi>{why}</bdi>
        </p>
      )}
      {why === undefined && cameBack !== undefined && (
        <p class="banner" role="alert">
          {cameBack}
        </p>
      )}
      {ways?.issuer !== undefined && <Elsewhere issuer={ways.issuer} />}
      {ways && ways.issuer === undefined && <One ways={ways} focus />}
      {ways && ways.issuer !== undefined && (
        <details>
          <summary>Sign in with a {ways.key ? 'key or an access token' : 'token'} instead</summary>
          <KeyForm ways={ways} />
        </details>
      )}
      {ways && both && (
        <details>
          <summary>
            {Other === PasswordForm ? "Use the owner's password instead" : 'Use a key or token instead'}
          </summary>
          <Other ways={ways} />
        </details>
      )}
      {ways && <Help ways={ways} />}
    </main>
  );
}

/** What the gateway says in the address if signing in elsewhere failed. */
const failures: ReadonlyMap<string, string> = new Map([
  ['refused', 'The authorization server refused the sign-in. Try again, or ask whoever runs it.'],
  ['lost', 'That sign-in took too long, or began at another address of this gateway. Try again.'],
  [
    'unavailable',
    'The authorization server does not answer as it should. Try again later; the log of Sluice says more.',
  ],
  ['slow-down', 'Too many sign-ins failed. Wait a minute, and try again.'],
]);

/** The page of the authorization server, which brings the browser back to this page. */
function Elsewhere({ issuer }: { issuer: string }) {
  const asked = new URLSearchParams(location.search);
  asked.delete('sign-in');
  const root = new URL(document.baseURI).pathname;
  const query = asked.toString();
  const to = `${location.pathname.slice(root.length)}${query === '' ? '' : `?${query}`}`;
  return (
    <p>
      <a class="button main" href={`${addressOf('api/v1/sign-in')}?${new URLSearchParams({ to })}`}>
        Sign in at <bdi>{issuer}</bdi>
      </a>
    </p>
  );
}

interface FormProps {
  readonly ways: WaysIn;
  readonly focus?: boolean;
}

function KeyForm({ ways, focus }: FormProps) {
  const label = ways.key && ways.token ? 'Key or access token' : ways.key ? 'Key' : 'Access token';
  return (
    <Secret
      label={label}
      autocomplete="off"
      focus={focus}
      enter={async (text) => {
        const key = text.trim();
        // Other characters cannot be sent in a header.
        if (!/^[\x21-\x7e]+$/.test(key))
          throw new Failed('A key has no spaces and no special characters. Copy it again.', {
            code: 'failed',
            status: 0,
          });
        await signIn({ key });
      }}
    />
  );
}

const PasswordForm = ({ focus }: FormProps) => (
  <Secret
    label="The owner's password"
    autocomplete="current-password"
    focus={focus}
    enter={(password) => signIn({ password })}
  />
);

interface SecretProps {
  readonly label: string;
  readonly autocomplete: 'off' | 'current-password';
  readonly focus?: boolean | undefined;
  readonly enter: (secret: string) => Promise<void>;
}

/** One field that nobody can read over a shoulder, and its button. */
function Secret({ label, autocomplete, focus, enter }: SecretProps) {
  const secret = useSignal('');
  const problem = useSignal<string | undefined>(undefined);
  const busy = useSignal(false);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (focus) field.current?.focus();
  }, []);

  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    busy.value = true;
    problem.value = undefined;
    try {
      await enter(secret.value);
    } catch (error) {
      if (!(error instanceof Failed)) throw error;
      problem.value = explained(error.message);
      field.current?.select();
    }
    busy.value = false;
  }

  return (
    <form onSubmit={(event) => void submit(event)}>
      <label class="field">
        <span>{label}</span>
        <input
          ref={field}
          type="password"
          autocomplete={autocomplete}
          spellcheck={false}
          required
          aria-invalid={problem.value !== undefined}
          value={secret.value}
          onInput={(event) => (secret.value = event.currentTarget.value)}
        />
      </label>
      {problem.value !== undefined && (
        <p class="warn" role="alert">
          <bdi>{problem.value}</bdi>
        </p>
      )}
      <p>
        <button type="submit" class="main" disabled={busy.value || secret.value.trim() === ''}>
          {busy.value ? 'Signing in …' : 'Sign in'}
        </button>
      </p>
    </form>
  );
}

/** `Unauthorized: Invalid token (the key was revoked)` in words for a person. */
function explained(message: string): string {
  const reason = /^Unauthorized: .*\((.+)\)$/.exec(message)?.[1];
  return reason === undefined ? message : `This does not open the gateway: ${reason}.`;
}

function Help({ ways }: { ways: WaysIn }) {
  if (ways.key) {
    return (
      <p class="quiet">
        No key yet? Run <code>sluice keys create --name me --scopes admin</code> on the gateway's machine. It prints a
        key; paste it here.
      </p>
    );
  }
  if (ways.password) {
    return (
      <p class="quiet">
        Forgot the password? Run <code>sluice owner reset</code> on the gateway's machine. It prints a new one.
      </p>
    );
  }
  return (
    <p class="quiet">
      This gateway takes access tokens of its authorization server. For keys as well, set{' '}
      <code>auth.mode: [keys, oauth]</code>.
    </p>
  );
}
