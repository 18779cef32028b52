import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import { counted, quoted, someOf } from '../../kernel/some-of.ts';
import { foldedName, noSuchEntity } from '../names.ts';
import { graphTool, nameInput, namesInput } from '../tool.ts';
import { orOne } from './other-names.ts';
import { entityOutput, shownEntity } from './shown.ts';

const SHOWN = 10;

export const mergeEntities = graphTool({
  name: 'graph_merge_entities',
  title: 'Merge entities',
  description:
    'Makes one entity of duplicates in the knowledge graph: their observations, relations and properties move into one, then they are deleted. All or nothing. graph_find_duplicates suggests candidates.',
  effect: 'delete',
  phrases:
    'merge two entities; these are the same person; combine duplicates; unify nodes; the graph has ada twice, make it one; join duplicate entries; deduplicate entities; fold one node into another',
  input: z.strictObject({
    names: orOne(namesInput(100)).describe('Duplicates, which disappear'),
    into: nameInput.describe('The entity that stays'),
  }),
  output: z.looseObject({
    entity: entityOutput,
    merged: z.array(z.string()),
    moved: z.object({ observations: z.number(), relations: z.number() }),
    dropped: z
      .array(z.looseObject({ entity: z.string(), property: z.string() }))
      .optional()
      .describe('Values of properties that the entity has already, with another value'),
  }),
  examples: [{ title: 'Two spellings', arguments: { names: ['A. Lovelace', 'ada lovelace'], into: 'Ada Lovelace' } }],
  async preview({ names, into }, deps) {
    const graph = await deps.graph();
    const { entities, missing } = await graph.open([into, ...names], { asOf: 'any', observations: 0, relations: 0 });
    if (missing.length > 0) throw noSuchEntity(missing);
    const stays = entities[0];
    const gone = entities.slice(1);
    if (!stays || gone.length === 0) throw nothingToMerge(into);
    const clashes = gone.flatMap(({ properties }) =>
      Object.keys(properties).filter(
        (key) =>
          Object.hasOwn(stays.properties, key) &&
          JSON.stringify(stays.properties[key]) !== JSON.stringify(properties[key]),
      ),
    );
    const sum = (of: 'observations' | 'relations') => gone.reduce((all, { counts }) => all + counts[of], 0);
    const loses = clashes.length > 0 ? ` ${quoted(stays.name)} keeps its own ${someOf([...new Set(clashes)])}.` : '';
    return `It moves ${counted(sum('observations'), 'observation')} and ${counted(sum('relations'), 'relation')} into ${quoted(stays.name)} and deletes ${someOf(gone.map(({ name }) => quoted(name)))}.${loses}`;
  },
  async run({ names, into }, deps) {
    if (names.every((name) => foldedName(name) === foldedName(into) && name === into)) throw nothingToMerge(into);
    const graph = await deps.graph();
    const { entity, merged, moved, dropped } = await graph.merge(names, into);
    return {
      entity: shownEntity(
        entity,
        entity.observations.slice(0, SHOWN).map(({ text }) => text),
      ),
      merged,
      moved,
      ...(dropped.length > 0 && { dropped: [...dropped] }),
    };
  },
});

const nothingToMerge = (into: string) =>
  new AppError('invalid_input', `names has no entity besides ${quoted(into)}. Name the duplicates there.`);
