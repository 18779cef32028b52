import { useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso/router';
import { get } from '../../console/client/api.ts';
import { useData, useQuery } from '../../console/client/data.ts';
import { linkTo } from '../../console/client/pages.ts';
import { may } from '../../console/client/session.ts';
import { Ago } from '../../console/client/ui/ago.tsx';
import { callAsking } from '../../console/client/ui/asking.tsx';
import { Copy } from '../../console/client/ui/copy.tsx';
import { Action } from '../../console/client/ui/fields.tsx';
import { say } from '../../console/client/ui/notice.tsx';
import { Loaded, Page } from '../../console/client/ui/page.tsx';
import { State } from '../../console/client/ui/state.tsx';
import { Deploying } from './deploying.tsx';
import { Editor } from './editor.tsx';
import { Findings } from './findings.tsx';
import { History } from './history.tsx';
import { Schedules } from './schedules.tsx';
import type { Whole } from './shapes.ts';
import { originWords } from './words.ts';

/** A definition: what it does, what is wrong with it, its runs and schedules. It is deployed from here. */
export function DefinitionPage({ name }: { name: string }) {
  const [query] = useQuery();
  const { route } = useLocation();
  const fresh = useSignal(0);
  const data = useData<Whole>(
    (signal) => get(`api/v1/blueprints/${encodeURIComponent(name)}/definition`, signal),
    [name, query.edit],
  );
  const whole = data.value;
  if (query.edit !== undefined && whole?.kind === 'blueprint') return <Editor whole={whole} />;
  const isRecipe = whole?.kind === 'recipe';
  const mayDelete = whole?.origin === 'store' && may(isRecipe ? 'recipe:write' : 'blueprint:write');

  async function remove(): Promise<void> {
    const tool = isRecipe ? 'recipe_delete' : 'blueprint_delete';
    if ((await callAsking(tool, { name }, { title: `Delete ${name}?`, yes: 'Delete it' })) === undefined) return;
    say(`${name} is deleted. Its runs stay.`);
    route(new URL(linkTo('blueprints'), document.baseURI).pathname);
  }

  return (
    <Page
      title={<bdi>{name}</bdi>}
      lead={whole?.description === undefined ? undefined : <bdi>{whole.description}</bdi>}
      actions={
        mayDelete && (
          <>
            {!isRecipe && (
              <a class="button" href={linkTo('blueprints', [name], { edit: '1' })}>
                Edit
              </a>
            )}
            <Action run={remove}>Delete</Action>
          </>
        )
      }
    >
      <p class="crumbs">
        <a href={linkTo('blueprints')}>All blueprints</a>
      </p>
      <Loaded data={data} waiting="Reading the definition …">
        {(value) => (
          <>
            <About whole={value} />
            {value.findings.length > 0 && <Findings findings={value.findings} more={value.more_findings} />}
            {value.steps && <Deploying whole={value} onBegun={() => fresh.value++} />}
          </>
        )}
      </Loaded>
      <h2>Runs</h2>
      <History name={name} fresh={fresh.value} hint={hintFor(whole)} />
      <h2>Schedules</h2>
      <Schedules name={name} fresh={fresh.value} />
      {whole && (
        <details class="source">
          <summary>Definition ({whole.text.split('\n').length} lines)</summary>
          <Copy text={whole.text}>Copy it</Copy>
          <pre tabIndex={0}>
            <bdi>{whole.text}</bdi>
          </pre>
        </details>
      )}
    </Page>
  );
}

function hintFor(whole: Whole | undefined): string {
  if (!whole) return 'Nobody has deployed it.';
  const isBroken = whole.findings.some(({ severity }) => severity === 'error');
  return isBroken ? 'Correct its errors, then deploy it.' : 'Press Plan to see what would happen, then deploy it.';
}

function About({ whole }: { whole: Whole }) {
  const { kind, origin, file, saved_by, saved_at, hides, schedule, on_failure, needs = [], wants = [] } = whole;
  const absent = needs.filter(({ there }) => !there);
  return (
    <>
      <p class="traits">
        {whole.steps === undefined || whole.findings.some(({ severity }) => severity === 'error') ? (
          <State of="error">cannot be deployed</State>
        ) : (
          <State of="ok">valid</State>
        )}
        <span>
          {kind === 'recipe' ? 'Recipe' : 'Blueprint'}, {originWords(origin)}
          {file !== undefined && origin !== 'store' && origin !== 'shipped' && (
            <>
              {' '}
              <code>
                <bdi>{file}</bdi>
              </code>
            </>
          )}
          {saved_by !== undefined && (
            <>
              {' by '}
              <bdi>{saved_by}</bdi>
            </>
          )}{' '}
          <Ago at={saved_at} />
        </span>
        {on_failure && (
          <span>{on_failure === 'undo' ? 'A failure undoes what was done' : 'A failure leaves what was done'}</span>
        )}
        {schedule !== undefined && (
          <span>
            Suggests <code>{schedule}</code>
          </span>
        )}
        {[...needs, ...wants].map(({ source, there }) => (
          <State key={source} of={there ? 'ok' : needs.some((one) => one.source === source) ? 'error' : 'off'}>
            <bdi>{source}</bdi>
          </State>
        ))}
      </p>
      {absent.length > 0 && (
        <p class="banner">
          It needs <bdi>{absent.map(({ source }) => source).join(', ')}</bdi>, which this gateway does not have now.
        </p>
      )}
      {hides !== undefined && (
        <p class="banner">A blueprint of the same name from {originWords(hides)} is not used because of this one.</p>
      )}
    </>
  );
}
