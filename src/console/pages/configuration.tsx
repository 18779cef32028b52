import { get } from '../client/api.ts';
import { useData, useQuery } from '../client/data.ts';
import { For } from '../client/ui/ago.tsx';
import { Copy } from '../client/ui/copy.tsx';
import { Empty } from '../client/ui/empty.tsx';
import { Search } from '../client/ui/fields.tsx';
import { Loaded, Page } from '../client/ui/page.tsx';
import { State } from '../client/ui/state.tsx';
import { yamlOf } from './yaml.ts';

interface Problem {
  readonly path: string;
  readonly line?: number;
  readonly message: string;
  readonly fix: string;
}

interface Key {
  readonly key: string;
  readonly from: string;
  readonly value?: unknown;
}

interface Configuration {
  readonly file?: string;
  readonly state: 'ready' | 'degraded' | 'failing';
  readonly since?: string;
  readonly notice?: string;
  readonly problems: readonly Problem[];
  readonly restart: readonly string[];
  readonly keys: readonly Key[];
}

const EVERY_MS = 5000;

/** What is in effect, and what is wrong with the file. */
export default function ConfigurationPage() {
  const known = useData<Configuration>((signal) => get('api/v1/configuration', signal), [], EVERY_MS);
  return (
    <Page
      title="Configuration"
      lead="What is in effect now, with secrets masked. Sluice never writes the file: change it in your editor, and it takes effect at once."
    >
      <Loaded data={known} waiting="Reading the configuration …">
        {(shown) => (
          <>
            <About shown={shown} />
            <Problems shown={shown} />
            <Keys keys={shown.keys} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function About({ shown: { file, state, since, notice, restart } }: { shown: Configuration }) {
  return (
    <section class="card">
      <p>
        <State of={state} />{' '}
        {file === undefined ? (
          <>
            There is no file: everything comes from the environment and defaults. <code>sluice init</code> writes one.
          </>
        ) : (
          <>
            <code>{file}</code> <Copy text={file} />
          </>
        )}{' '}
        <span class="quiet">
          <For since={since} />
        </span>
      </p>
      {notice !== undefined && (
        <p class="warn">
          <bdi>{notice}</bdi>
        </p>
      )}
      {restart.length > 0 && (
        <p class="banner">Restart Sluice to apply the changes of {restart.join(', ')}. Everything else is in effect.</p>
      )}
    </section>
  );
}

function Problems({ shown: { problems } }: { shown: Configuration }) {
  if (problems.length === 0) return null;
  return (
    <section class="problem" role="alert">
      <h2>The changed file is not in effect</h2>
      <p>Sluice keeps running with the configuration from before. Fix the file, and it is read again.</p>
      <ul>
        {problems.map(({ path, line, message, fix }, index) => (
          <li key={index}>
            {line !== undefined && <b>Line {line}: </b>}
            <code>{path}</code> <bdi>{message}</bdi>. <bdi>{fix}</bdi>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Keys that somebody set come first, open; the others are folded. */
function Keys({ keys }: { keys: readonly Key[] }) {
  const [{ q = '' }, change] = useQuery();
  const wanted = q.trim().toLowerCase();
  const texts = keys.map((one) => ({ ...one, text: yamlOf({ [one.key]: one.value }) }));
  const fitting = texts.filter(({ text }) => text.toLowerCase().includes(wanted));
  const given = fitting.filter(({ from }) => from !== 'default');
  const defaults = fitting.filter(({ from, value }) => from === 'default' && value !== undefined);
  return (
    <>
      <div class="bar">
        <Search label="Search keys and values" value={q} onSearch={(text) => change({ q: text })} />
      </div>
      {fitting.length === 0 && <Empty title={`Nothing contains “${q}”`}>Look for part of a key or of a value.</Empty>}
      {given.map(({ key, from, text }) => (
        <section key={key} class="card">
          <h2>
            {key} <small class="quiet">from the {from}</small>
          </h2>
          <pre tabIndex={0}>{text}</pre>
        </section>
      ))}
      {defaults.length > 0 && (
        <details class="card" open={wanted !== ''}>
          <summary>{defaults.length} keys have their defaults</summary>
          <pre tabIndex={0}>{defaults.map(({ text }) => text).join('')}</pre>
        </details>
      )}
    </>
  );
}
