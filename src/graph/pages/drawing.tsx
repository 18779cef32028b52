import { useMemo } from 'preact/hooks';
import { get } from '../../console/client/api.ts';
import { useData, useQuery } from '../../console/client/data.ts';
import { count } from '../../console/client/ui/ago.tsx';
import { Choice } from '../../console/client/ui/fields.tsx';
import { Graph } from '../../console/client/ui/graph/graph.tsx';
import { Loaded } from '../../console/client/ui/page.tsx';
import { radial } from '../../console/client/ui/graph/radial.ts';
import { columns } from './columns.ts';
import { drawn } from './drawn.ts';
import { isNarrow } from './narrow.ts';
import type { Entity, Near } from './shapes.ts';
import { inUrl, trailIn, walked } from './trail.ts';

const MOST = '200';
/** How many are drawn unless somebody wants more: as many as have room at a size that can be read. More labels would cover each other. */
const wideScreen = { usual: '20', labels: 60, place: radial, space: { wide: 200, tall: 100 } };
const narrowScreen = { usual: '12', labels: 4, place: columns, space: { wide: 190, tall: 72 } };

/** What is around an entity. Who chooses a neighbour goes there. */
export function Drawing({ entity }: { entity: Entity }) {
  const screen = useMemo(() => (isNarrow() ? narrowScreen : wideScreen), []);
  const { usual } = screen;
  const [{ depth = '1', as_of, trail, limit = usual }, change] = useQuery();
  const near = useData<Surroundings>(
    async (signal) => {
      const asked = { name: entity.name, depth, limit, ...(as_of !== undefined && { as_of }) };
      return { of: entity, near: await get<Near>(`api/v1/graph-neighbours?${new URLSearchParams(asked)}`, signal) };
    },
    // Whatever changed the entity may have changed its surroundings.
    [entity, depth, limit, as_of],
  );
  const go = (next: string) => {
    if (next !== entity.name) change({ entity: next, trail: inUrl(walked(trailIn(trail), entity.name, next)) }, true);
  };
  const { entities, truncated } = near.value?.near ?? { entities: [], truncated: false };
  return (
    <>
      <Loaded data={near} waiting="Drawing what is around it …">
        {(value) => value.near.entities.length > 0 && <Picture {...value} screen={screen} go={go} />}
      </Loaded>
      {entities.length > 0 && (
        <div class="bar">
          <Choice
            label="Show"
            value={depth}
            options={[
              ['1', 'Neighbours'],
              ['2', 'Two relations away'],
              ['3', 'Three relations away'],
            ]}
            onChoose={(next) => change({ depth: next === '1' ? undefined : next })}
          />
          {truncated && (
            <span class="quiet">
              Only the nearest {entities.length} are drawn
              {depth === '1' && `; it has ${count(entity.counts.relations)} relations`}.{' '}
              {limit === usual && (
                <button type="button" class="plain" onClick={() => change({ limit: MOST })}>
                  Draw up to {MOST}
                </button>
              )}
            </span>
          )}
        </div>
      )}
    </>
  );
}

/** While those of the next entity are on their way, those of the one before stay. */
interface Surroundings {
  readonly of: Entity;
  readonly near: Near;
}

interface PictureProps extends Surroundings {
  readonly screen: typeof wideScreen | typeof narrowScreen;
  readonly go: (name: string) => void;
}

function Picture({ of: entity, near, screen: { labels, place, space }, go }: PictureProps) {
  const { nodes, edges } = useMemo(() => {
    const picture = drawn(entity, near, labels);
    const places = place(
      picture.nodes.map(({ name, distance }) => ({ id: name, distance })),
      picture.edges,
      space,
    );
    return {
      nodes: picture.nodes.map(({ name, type, distance }) => ({
        id: name,
        label: name,
        detail: type,
        at: places.get(name),
        ...(distance === 0 && { tone: 'info' as const }),
      })),
      edges: picture.edges.map((edge) => ({ ...edge, direct: true })),
    };
  }, [entity, near, labels, place, space]);
  return (
    <Graph
      label={`What is around ${entity.name}: ${near.entities.length} entities`}
      nodes={nodes}
      edges={edges}
      chosen={entity.name}
      onChoose={go}
      first={entity.name}
    />
  );
}
