import { useSignal } from '@preact/signals';
import { get } from '../../console/client/api.ts';
import { useData, useQuery } from '../../console/client/data.ts';
import { usePaged } from '../../console/client/paged.ts';
import { may } from '../../console/client/session.ts';
import { AsOf } from '../../console/client/ui/as-of.tsx';
import { Choice, Search, Tabs } from '../../console/client/ui/fields.tsx';
import { Loaded, Page } from '../../console/client/ui/page.tsx';
import { Editor } from './editor.tsx';
import { Found } from './found.tsx';
import { Namespaces } from './namespaces.tsx';
import type { Listed, Namespace } from './shapes.ts';
import { Embedding } from './embedding.tsx';

interface Answer {
  readonly items: readonly Listed[];
  readonly next?: string | undefined;
  readonly note?: string | undefined;
}

const ALL = '';
/** How often the list looks for newer ones. */
const NEWS_MS = 10_000;

/** Searches memories, and lists the newest. */
export function List() {
  const [query, change] = useQuery();
  const { q, namespace, tags, as_of, pinned, view } = query;
  const adding = useSignal(false);
  const namespaces = useData<{ namespaces: Namespace[] }>((signal) => get('api/v1/memory-namespaces', signal));
  const found = usePaged<Listed, Answer>(
    async (cursor, signal) => {
      const asked = new URLSearchParams();
      const wanted = { query: q, namespace, tags, as_of, cursor, ...(q === undefined && { pinned }) };
      for (const [name, value] of Object.entries(wanted)) if (value !== undefined) asked.set(name, value);
      const page = await get<{ memories: Listed[]; cursor?: string; note?: string }>(
        `api/v1/memories?${asked}`,
        signal,
      );
      return { items: page.memories, next: page.cursor, note: page.note };
    },
    [q, namespace, tags, as_of, pinned],
    q === undefined ? NEWS_MS : undefined,
  );
  const known = namespaces.value?.namespaces ?? [];
  const oldest = known.reduce<string | undefined>(
    (first, one) => (one.oldest !== undefined && (first === undefined || one.oldest < first) ? one.oldest : first),
    undefined,
  );
  const isFiltered = [q, namespace, tags, as_of, pinned].some((one) => one !== undefined);
  return (
    <Page
      title="Memory"
      lead="What your assistants remember, and can find again."
      actions={
        <>
          <Tabs
            label="View"
            tabs={[
              ['memories', 'Memories'],
              ['namespaces', 'Namespaces'],
            ]}
            chosen={view ?? 'memories'}
            onChoose={(next) => change({ view: next === 'memories' ? undefined : next })}
          />
          {may('memory:write') && (
            <button type="button" class="main" onClick={() => (adding.value = true)}>
              Add a memory
            </button>
          )}
        </>
      }
    >
      <Embedding always={view === 'namespaces'} />
      {view === 'namespaces' ? (
        <Namespaces data={namespaces} />
      ) : (
        <>
          <div class="bar">
            <Search
              label="Search in plain words"
              value={q ?? ''}
              pauseMs={300}
              onSearch={(text) => change({ q: text.trim() })}
            />
            <Choice
              label="Namespace"
              value={namespace ?? ALL}
              options={[
                [ALL, 'All'],
                ...known.map(({ name }) => [name, name] as const),
                ...(namespace === undefined || known.some(({ name }) => name === namespace)
                  ? []
                  : [[namespace, namespace] as const]),
              ]}
              onChoose={(next) => change({ namespace: next })}
            />
            {q === undefined && (
              <Choice
                label="Pinned"
                value={pinned ?? ALL}
                options={[
                  [ALL, 'All'],
                  ['true', 'Pinned only'],
                  ['false', 'Not pinned'],
                ]}
                onChoose={(next) => change({ pinned: next })}
              />
            )}
            <label class="choice">
              <span>Tags, all of them</span>
              <input
                type="text"
                value={tags ?? ''}
                placeholder="staging, ports"
                onChange={(event) => change({ tags: event.currentTarget.value.trim() })}
              />
            </label>
            <AsOf value={as_of} since={oldest} onChange={(next) => change({ as_of: next })} />
          </div>
          <Loaded data={found.first} waiting={q === undefined ? 'Reading memories …' : 'Searching …'}>
            {({ note }) => (
              <Found
                items={found.items}
                hasMore={found.hasMore}
                more={found.more}
                note={note}
                isSearch={q !== undefined}
                isFiltered={isFiltered}
                clear={() =>
                  change({
                    q: undefined,
                    namespace: undefined,
                    tags: undefined,
                    as_of: undefined,
                    pinned: undefined,
                  })
                }
              />
            )}
          </Loaded>
        </>
      )}
      {adding.value && <Editor close={() => (adding.value = false)} namespace={namespace} />}
    </Page>
  );
}
