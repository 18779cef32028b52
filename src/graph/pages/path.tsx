import { useSignal } from '@preact/signals';
import { get } from '../../console/client/api.ts';
import { useData, useQuery } from '../../console/client/data.ts';
import { linkTo } from '../../console/client/pages.ts';
import { AsOf } from '../../console/client/ui/as-of.tsx';
import { Empty } from '../../console/client/ui/empty.tsx';
import { Graph } from '../../console/client/ui/graph/graph.tsx';
import { Loaded, Page } from '../../console/client/ui/page.tsx';
import { isNarrow } from './narrow.ts';
import type { Path } from './shapes.ts';

/** Asks for a way between two entities. */
export function PathForm({ from, to }: { from?: string; to?: string }) {
  const [, change] = useQuery();
  const start = useSignal(from ?? '');
  const end = useSignal(to ?? '');
  return (
    <form
      class="bar"
      aria-label="How are two entities connected?"
      onSubmit={(event) => {
        event.preventDefault();
        change(
          {
            from: start.value.trim(),
            to: end.value.trim(),
            entity: '',
            trail: '',
            depth: '',
            limit: '',
            q: '',
            relations: '',
          },
          true,
        );
      }}
    >
      <label class="choice">
        <span>How is</span>
        <input
          type="text"
          required
          value={start.value}
          placeholder="Ada"
          onInput={(event) => (start.value = event.currentTarget.value)}
        />
      </label>
      <label class="choice">
        <span>connected to</span>
        <input
          type="text"
          required
          value={end.value}
          placeholder="Acme"
          onInput={(event) => (end.value = event.currentTarget.value)}
        />
      </label>
      <button type="submit">Find the way</button>
    </form>
  );
}

/** A shortest way from one entity to another. */
export function PathView({ from, to }: { from: string; to: string }) {
  const [{ as_of }, change] = useQuery();
  const data = useData<Path>(
    (signal) => {
      const asked = { from, to, depth: '20', ...(as_of !== undefined && { as_of }) };
      return get(`api/v1/graph-path?${new URLSearchParams(asked)}`, signal);
    },
    [from, to, as_of],
  );
  const perLine = isNarrow() ? 1 : 4;
  const at: Readonly<Record<string, string>> = as_of === undefined ? {} : { as_of };
  return (
    <Page title="How they are connected" lead={<a href={linkTo('graph', [], at)}>All entities</a>}>
      <PathForm key={JSON.stringify([from, to])} from={from} to={to} />
      <div class="bar">
        <AsOf value={as_of} since={undefined} onChange={(next) => change({ as_of: next })} />
      </div>
      <Loaded data={data} waiting="Looking for a way …">
        {({ found, entities, relations }) =>
          found ? (
            <>
              <p>
                {entities.map(({ name }, index) => {
                  const relation = relations[index - 1];
                  const words = relation && (relation.to === name ? ` —${relation.type}→ ` : ` ←${relation.type}— `);
                  return (
                    <span key={name}>
                      <span class="quiet">
                        <bdi>{words}</bdi>
                      </span>
                      <a href={linkTo('graph', [], { ...at, entity: name })}>
                        <bdi>{name}</bdi>
                      </a>
                    </span>
                  );
                })}
              </p>
              <div class="way" style={{ '--lines': Math.ceil(entities.length / perLine) }}>
                <Graph
                  label={`The way from ${from} to ${to}: ${relations.length} relations`}
                  nodes={entities.map(({ name, type }, index) => ({
                    id: name,
                    label: name,
                    detail: type,
                    at: placeIn(index, perLine),
                  }))}
                  edges={relations.map((one) => ({ from: one.from, to: one.to, label: one.type, direct: true }))}
                  onChoose={(name) => change({ entity: name, from: '', to: '' }, true)}
                />
              </div>
            </>
          ) : (
            <Empty title="They are not connected">There is no way of at most 20 relations between them.</Empty>
          )
        }
      </Loaded>
    </Page>
  );
}

/** From left to right, then on the next line back. */
function placeIn(index: number, perLine: number) {
  const line = Math.floor(index / perLine);
  const along = index % perLine;
  return { x: (line % 2 === 0 ? along : perLine - 1 - along) * 300, y: line * 120 };
}
