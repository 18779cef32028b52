import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { get } from '../../console/client/api.ts';
import { useData, useQuery } from '../../console/client/data.ts';
import { count } from '../../console/client/ui/ago.tsx';
import { Choice } from '../../console/client/ui/fields.tsx';
import { Graph } from '../../console/client/ui/graph.tsx';
import { Loaded } from '../../console/client/ui/page.tsx';
import { radial } from '../../console/client/ui/radial.ts';
import { drawn } from './drawn.ts';
import { isNarrow } from './narrow.ts';
import type { Entity, Near } from './shapes.ts';
import { inUrl, trailIn, walked } from './trail.ts';

const MOST = '200';
/** How many are drawn unless somebody wants more, and how much room each has. A phone is taller than wide. */
const wideScreen = { usual: '60', space: { wide: 210, tall: 88 } };
const narrowScreen = { usual: '24', space: { wide: 190, tall: 150 } };

/** What is around an entity. A click on a neighbour goes there. What else chooses what is seen is beside its choices. */
export function Drawing({ entity, children }: { entity: Entity; children: ComponentChildren }) {
  const { usual, space } = useMemo(() => (isNarrow() ? narrowScreen : wideScreen), []);
  const [{ depth = '1', as_of, trail, limit = usual }, change] = useQuery();
  const near = useData<Near>(
    (signal) => {
      const asked = { name: entity.name, depth, limit, ...(as_of !== undefined && { as_of }) };
      return get(`api/v1/graph-neighbours?${new URLSearchParams(asked)}`, signal);
    },
    // Whatever changed the entity may have changed its surroundings.
    [entity, depth, limit, as_of],
  );
  const go = (next: string) => {
    if (next !== entity.name) change({ entity: next, trail: inUrl(walked(trailIn(trail), entity.name, next)) }, true);
  };
  const { entities, truncated } = near.value ?? { entities: [], truncated: false };
  return (
    <>
      <Loaded data={near} waiting="Drawing what is around it …">
        {(value) => value.entities.length > 0 && <Picture entity={entity} near={value} space={space} go={go} />}
      </Loaded>
      <div class="bar">
        {entities.length > 0 && (
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
        )}
        {children}
        {truncated && (
          <span class="quiet">
            Only the nearest {entities.length} are drawn; it has {count(entity.counts.relations)} relations.{' '}
            {limit === usual && (
              <button type="button" class="plain" onClick={() => change({ limit: MOST })}>
                Draw up to {MOST}
              </button>
            )}
          </span>
        )}
      </div>
    </>
  );
}

interface PictureProps {
  readonly entity: Entity;
  readonly near: Near;
  readonly space: { readonly wide: number; readonly tall: number };
  readonly go: (name: string) => void;
}

function Picture({ entity, near, space, go }: PictureProps) {
  const { nodes, edges } = useMemo(() => {
    const picture = drawn(entity, near);
    const places = radial(
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
  }, [entity, near, space]);
  return (
    <Graph
      label={`What is around ${entity.name}: ${near.entities.length} entities`}
      nodes={nodes}
      edges={edges}
      chosen={entity.name}
      onChoose={go}
    />
  );
}
