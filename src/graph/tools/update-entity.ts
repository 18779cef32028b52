import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import { bytesOf, graphTool, nameInput, propertiesInput, timeIn } from '../tool.ts';
import { entityNames, orCalled } from './other-names.ts';
import { entityOutput, shownEntity } from './shown.ts';

const SHOWN = 10;
const bound = (what: string) => z.string().nullable().optional().describe(what);

export const updateEntity = graphTool({
  name: 'graph_update_entity',
  title: 'Update an entity',
  description:
    'Renames an entity of the knowledge graph, or changes its type, properties or validity. Properties are merged key by key; null removes a key. For facts use graph_add_observations.',
  effect: 'update',
  phrases:
    'rename an entity; change the type of a node; set a property of an entity; correct the name of a person in the graph; update properties; the company has a new name; remove a property from a node; edit an entity; this entity is valid again; fix a typo in an entity name',
  input: orCalled(
    { ...entityNames, entity: 'name', entityName: 'name' },
    z.strictObject({
      name: nameInput,
      new_name: z.string().optional().describe('To rename it'),
      type: z.string().optional().describe('New type'),
      properties: propertiesInput.optional(),
      valid_from: bound('True since, ISO time; null: no beginning'),
      valid_to: bound('True until, ISO time; null: no end'),
    }),
  ),
  output: z.looseObject({ entity: entityOutput }),
  examples: [
    {
      title: 'Rename and add a property',
      arguments: { name: 'Ada', new_name: 'Ada Lovelace', properties: { born: 1815 } },
    },
  ],
  async run({ name, new_name, type, properties, valid_from, valid_to }, deps, { principal }) {
    const time = (text: string | null) => (text === null ? null : timeIn(text));
    const change = {
      ...(new_name !== undefined && { name: new_name }),
      ...(type !== undefined && { type }),
      ...(properties && { properties }),
      ...(valid_from !== undefined && { validFrom: time(valid_from) }),
      ...(valid_to !== undefined && { validTo: time(valid_to) }),
    };
    if (Object.keys(change).length === 0)
      throw new AppError(
        'invalid_input',
        'Nothing to change. Give new_name, type, properties, valid_from or valid_to.',
      );
    const graph = await deps.graph();
    const entity = await deps.quota.within(principal, bytesOf([change]), async () => graph.update(name, change));
    return {
      entity: shownEntity(
        entity,
        entity.observations.slice(0, SHOWN).map(({ text }) => text),
      ),
    };
  },
});
