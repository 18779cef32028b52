import { useQuery } from '../../console/client/data.ts';
import { linkTo } from '../../console/client/pages.ts';
import { inUrl, trailIn } from './trail.ts';

/** The way that somebody walked through the graph. */
export function Crumbs({ name, type }: { name: string; type: string | undefined }) {
  const [{ trail, as_of }] = useQuery();
  const way = trailIn(trail);
  const at: Readonly<Record<string, string>> = as_of === undefined ? {} : { as_of };
  return (
    <span class="crumbs">
      <a href={linkTo('graph', [], at)}>All entities</a>
      {way.map((one, index) => {
        const before = inUrl(way.slice(0, index));
        return (
          <span key={one}>
            {' › '}
            <a href={linkTo('graph', [], { ...at, entity: one, ...(before !== undefined && { trail: before }) })}>
              <bdi>{one}</bdi>
            </a>
          </span>
        );
      })}
      {' › '}
      <bdi>{name}</bdi>
      {type !== undefined && (
        <>
          {', '}
          <bdi>{type}</bdi>
        </>
      )}
    </span>
  );
}
