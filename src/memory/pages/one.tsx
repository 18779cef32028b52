import { useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso/router';
import { get } from '../../console/client/api.ts';
import { useData } from '../../console/client/data.ts';
import { linkTo } from '../../console/client/pages.ts';
import { may } from '../../console/client/session.ts';
import { Ago } from '../../console/client/ui/ago.tsx';
import { callAsking } from '../../console/client/ui/asking.tsx';
import { Action } from '../../console/client/ui/fields.tsx';
import { say } from '../../console/client/ui/notice.tsx';
import { Loaded, Page } from '../../console/client/ui/page.tsx';
import { Tree } from '../../console/client/ui/tree.tsx';
import { Editor } from './editor.tsx';
import { History } from './history.tsx';
import { NearOnes } from './near-ones.tsx';
import { Origin } from './origin.tsx';
import type { Whole } from './shapes.ts';
import { LongText } from './text.tsx';
import { titleOf } from './words.ts';

/** A memory in full. */
export function OneMemory({ id }: { id: string }) {
  const { route } = useLocation();
  const data = useData<Whole>((signal) => get(`api/v1/memories/${encodeURIComponent(id)}`, signal), [id]);
  const editing = useSignal(false);
  const memory = data.value;
  const isCurrent = memory !== undefined && memory.superseded_by === undefined;

  async function pin(): Promise<void> {
    if (!memory) return;
    const asking = { title: 'Change the pin?', yes: 'Yes' };
    await callAsking('memory_pin', { id, pin: memory.pinned !== true }, asking);
    await data.reload();
  }

  async function forget(): Promise<void> {
    const asking = { title: 'Forget this memory?', yes: 'Forget all versions for good' };
    if (!(await callAsking('memory_forget', { ids: [id] }, asking))) return;
    say('The memory is forgotten, with every version.');
    route(new URL(linkTo('memory'), document.baseURI).pathname, true);
  }

  return (
    <Page
      title={<bdi>{memory ? titleOf(memory.text) : 'A memory'}</bdi>}
      lead={<a href={linkTo('memory')}>All memories</a>}
      actions={
        isCurrent &&
        may('memory:write') && (
          <>
            <button type="button" onClick={() => (editing.value = true)}>
              Edit
            </button>
            <Action run={pin} title="A pinned memory does not fade with age">
              {memory.pinned ? 'Unpin' : 'Pin'}
            </Action>
            <Action kind="danger" run={forget}>
              Forget …
            </Action>
          </>
        )
      }
    >
      <Loaded data={data} waiting="Reading the memory …">
        {(whole) => (
          <>
            {whole.superseded_by !== undefined && (
              <p class="banner">
                This is an earlier version.{' '}
                <a href={linkTo('memory', [whole.versions[0]?.id ?? whole.superseded_by])}>Open the current one</a>.
              </p>
            )}
            <section class="card" aria-label="Text">
              <LongText text={whole.text} />
              {whole.tags && (
                <p class="labels">
                  {whole.tags.map((tag) => (
                    <a key={tag} class="tag" href={linkTo('memory', [], { tags: tag })}>
                      <bdi>{tag}</bdi>
                    </a>
                  ))}
                </p>
              )}
            </section>
            <div class="cards">
              <section class="card">
                <h2>What it is</h2>
                <dl class="pairs">
                  <dt>Namespace</dt>
                  <dd>
                    <a href={linkTo('memory', [], { namespace: whole.namespace })}>
                      <bdi>{whole.namespace}</bdi>
                    </a>
                  </dd>
                  <dt>True since</dt>
                  <dd>
                    <Ago at={whole.valid_from ?? whole.recorded_at} />
                  </dd>
                  {whole.valid_to !== undefined && [
                    <dt key="until">True until</dt>,
                    <dd key="until time">
                      <Ago at={whole.valid_to} />
                    </dd>,
                  ]}
                  {whole.expires_at !== undefined && [
                    <dt key="erased">Is erased</dt>,
                    <dd key="erased time">
                      <Ago at={whole.expires_at} />
                    </dd>,
                  ]}
                  <dt>Recalled</dt>
                  <dd>{timesOf(whole.recalls ?? 0)}</dd>
                  <dt>Pinned</dt>
                  <dd>{whole.pinned ? 'yes, it does not fade' : 'no'}</dd>
                  <dt>Id</dt>
                  <dd>
                    <code>{whole.id}</code>
                  </dd>
                </dl>
              </section>
              <Origin memory={whole} />
              {whole.metadata && (
                <section class="card">
                  <h2>Metadata</h2>
                  <Tree value={whole.metadata} open={2} />
                </section>
              )}
            </div>
            {isCurrent && <NearOnes id={id} />}
            <History memory={whole} />
            {editing.value && <Editor memory={whole} close={() => (editing.value = false)} />}
          </>
        )}
      </Loaded>
    </Page>
  );
}

const timesOf = (count: number): string =>
  count === 0 ? 'never' : count === 1 ? 'once' : `${count.toLocaleString('en')} times`;
