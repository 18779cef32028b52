import { useQuery } from '../../console/client/data.ts';
import { EntityView } from './entity.tsx';
import { List } from './list.tsx';
import { PathView } from './path.tsx';

/** The knowledge graph: all entities, one with what is around it, or a way from one to another. */
export default function GraphPage() {
  const [{ entity, from, to }] = useQuery();
  if (entity !== undefined) return <EntityView name={entity} />;
  if (from !== undefined && to !== undefined) return <PathView from={from} to={to} />;
  return <List />;
}
