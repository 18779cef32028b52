import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import { asOf, graphTool, MOST_AT_ONCE, namesInput } from '../tool.ts';
import { observationNamesInput, relationNamesInput } from './named.ts';
import { orCalled, orOne } from './other-names.ts';

export const end = graphTool({
  name: 'graph_end',
  title: 'End validity',
  description:
    'Says that something in the knowledge graph is no longer true: entities, observations or relations. They stay, with the end of their validity, and are found with as_of before it. All or nothing.',
  effect: 'update',
  phrases:
    'no longer true; she left the company; they moved away; this fact is outdated; end a relation; mark as no longer valid; he does not work there any more; the project is over; a fact ceased to be true; it was true until last year; close a relation without deleting it; expire an observation',
  input: orCalled(
    { names: 'entities', entityNames: 'entities' },
    z.strictObject({
      entities: orOne(namesInput()).optional().describe('Names of entities'),
      observations: observationNamesInput.optional().describe('Observations by entity'),
      relations: relationNamesInput.optional().describe('Relations'),
      at: z.string().optional().describe('Since when it is no longer true, ISO time. Default: now'),
    }),
  ),
  output: z.looseObject({ ended: z.number().describe('How many'), valid_to: z.string() }),
  examples: [
    {
      title: 'She left in March',
      arguments: { relations: [{ from: 'Ada', type: 'works_at', to: 'Acme' }], at: '2026-03-31' },
    },
  ],
  async run({ entities = [], observations = [], relations = [], at }, deps) {
    const ended = entities.length + relations.length + observations.flatMap((one) => one.observations).length;
    if (ended === 0) throw new AppError('invalid_input', 'Nothing to end. Name entities, observations or relations.');
    if (ended > MOST_AT_ONCE)
      throw new AppError('invalid_input', `At most ${MOST_AT_ONCE} at once. Make several calls.`);
    const graph = await deps.graph();
    const time = asOf(at);
    await graph.end({ entities, observations, relations }, time);
    return { ended, valid_to: time };
  },
});
