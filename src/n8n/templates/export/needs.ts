import { z } from 'zod';
import type { Workflow } from '../../client/shapes.ts';
import { placesIn, type Pointing } from '../../mapping/places.ts';

const MOST = 100;

/** What an importer has to have. */
export const needsShape = z.object({
  nodes: z.array(z.string()).describe('Types of nodes'),
  credentials: z.array(z.object({ type: z.string(), nodes: z.array(z.string()) })).optional(),
  sub_workflows: z.array(z.string()).optional().describe('Names, or ids of unknown ones'),
  data_tables: z.array(z.string()).optional(),
  variables: z.array(z.string()).optional(),
});

export type Needs = z.input<typeof needsShape>;

/** `clean` removes what others must not see from a name. */
export function needsOf(
  workflow: Workflow,
  nameOf: (place: Pick<Pointing, 'kind' | 'id' | 'name'>) => string | undefined,
  clean: (name: string) => string,
): Needs {
  const credentials = new Map<string, string[]>();
  const found = { 'sub-workflow': new Set<string>(), 'data table': new Set<string>(), variable: new Set<string>() };
  for (const place of placesIn(workflow)) {
    if (place.kind === 'credential') {
      credentials.set(place.type, [...(credentials.get(place.type) ?? []), clean(place.node ?? '')]);
    } else if (place.kind === 'variable') found.variable.add(place.name);
    else if (place.kind === 'sub-workflow' || place.kind === 'data table') {
      found[place.kind].add(clean(nameOf(place) ?? place.id ?? ''));
    }
  }
  const list = (names: ReadonlySet<string>) => [...names].slice(0, MOST);
  return {
    nodes: list(new Set(workflow.nodes.map(({ type }) => type).filter((type) => !type.endsWith('.stickyNote')))),
    ...(credentials.size > 0 && {
      credentials: [...credentials].slice(0, MOST).map(([type, nodes]) => ({ type, nodes: nodes.slice(0, MOST) })),
    }),
    ...(found['sub-workflow'].size > 0 && { sub_workflows: list(found['sub-workflow']) }),
    ...(found['data table'].size > 0 && { data_tables: list(found['data table']) }),
    ...(found.variable.size > 0 && { variables: list(found.variable) }),
  };
}
