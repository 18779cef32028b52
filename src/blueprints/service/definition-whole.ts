import type { DefinitionDetail } from './detail-views.ts';
import { outlineOf } from './outline.ts';
import { isSecret } from '../runs/secrets.ts';
import type { Runtime } from '../runtime.ts';

const MOST_FINDINGS = 200;

/** Everything about a definition that somebody who may deploy it can know. */
export async function definitionWhole(
  { definitions, services }: Pick<Runtime, 'definitions' | 'services'>,
  name: string,
): Promise<DefinitionDetail> {
  const known = await definitions.existing(name);
  const findings = await definitions.findingsOf(known);
  const { file, savedBy, savedAt, hides } = known;
  const definition = known.definition();
  const there = new Set(services());
  const listed = (sources: readonly string[]) => sources.map((source) => ({ source, there: there.has(source) }));
  return {
    name: known.name,
    kind: known.kind,
    origin: known.origin,
    ...(file !== undefined && { file }),
    ...(savedBy !== undefined && { saved_by: savedBy }),
    ...(savedAt !== undefined && { saved_at: new Date(savedAt).toISOString() }),
    ...(hides !== undefined && { hides }),
    text: known.text,
    findings: findings.slice(0, MOST_FINDINGS).map((one) => ({ ...one })),
    ...(findings.length > MOST_FINDINGS && { more_findings: findings.length - MOST_FINDINGS }),
    ...(definition && {
      ...(definition.description !== undefined && { description: definition.description }),
      steps: definition.steps.map((step) => ({ ...outlineOf(step) })),
      inputs: Object.entries(definition.inputs).map(([input, schema]) => ({
        name: input,
        schema,
        required: !Object.hasOwn(schema, 'default'),
        secret: isSecret(schema),
      })),
      needs: listed(definition.needs),
      wants: listed(definition.wants),
      calls: [...new Set(definition.steps.flatMap(({ work }) => (work.kind === 'blueprint' ? [work.blueprint] : [])))],
      ...(definition.schedule !== undefined && { schedule: definition.schedule }),
      on_failure: definition.onFailure,
    }),
  };
}
