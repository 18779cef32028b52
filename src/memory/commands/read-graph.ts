import { AppError } from '../../kernel/errors.ts';
import type { Json } from '../../kernel/source.ts';
import type { Call } from './call.ts';

const NAMES_AT_ONCE = 50;

interface Entity {
  readonly name: string;
  readonly type: string;
  readonly observations: readonly string[];
  readonly properties?: Json;
  readonly valid_from?: string;
  readonly valid_to?: string;
}

interface Relation extends Omit<Entity, 'name' | 'observations'> {
  readonly from: string;
  readonly to: string;
}

interface Page {
  readonly entities: readonly Entity[];
  readonly relations?: readonly Relation[];
  readonly cursor?: string;
}

/** Every page of an answer. */
async function* pages(call: Call, tool: string, args: Json): AsyncGenerator<Page> {
  let cursor: string | undefined;
  do {
    const page = await call<Page>(tool, cursor === undefined ? args : { ...args, cursor });
    yield page;
    ({ cursor } = page);
  } while (cursor !== undefined);
}

/** What is in the graph now, in lines as server-memory writes them, with properties and times. Nothing if there is no graph. */
export async function* graphLines(call: Call): AsyncGenerator<string> {
  const names: string[] = [];
  const relations: Relation[] = [];
  try {
    for await (const page of pages(call, 'graph_get_subgraph', {})) {
      names.push(...page.entities.map(({ name }) => name));
      relations.push(...(page.relations ?? []));
    }
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return;
    throw error;
  }
  for (let from = 0; from < names.length; from += NAMES_AT_ONCE)
    for (const entity of await whole(call, names.slice(from, from + NAMES_AT_ONCE))) yield `${entityLine(entity)}\n`;
  for (const relation of relations) yield `${relationLine(relation)}\n`;
}

/** Entities with all their observations, which may come in several pages. */
async function whole(call: Call, names: readonly string[]): Promise<Entity[]> {
  const found = new Map<string, Entity>();
  for await (const { entities } of pages(call, 'graph_get_entities', { names }))
    for (const entity of entities) {
      const observations = [...(found.get(entity.name)?.observations ?? []), ...entity.observations];
      found.set(entity.name, { ...entity, observations });
    }
  return [...found.values()];
}

const more = ({ properties, valid_from, valid_to }: Omit<Entity, 'name' | 'observations'>) => ({
  properties,
  valid_from,
  valid_to,
});

const entityLine = (entity: Entity): string =>
  JSON.stringify({
    type: 'entity',
    name: entity.name,
    entityType: entity.type,
    observations: entity.observations,
    ...more(entity),
  });

const relationLine = (relation: Relation): string =>
  JSON.stringify({
    type: 'relation',
    from: relation.from,
    to: relation.to,
    relationType: relation.type,
    ...more(relation),
  });
