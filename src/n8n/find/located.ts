import type { Node } from '../client/shapes.ts';

export type LocatedKind = 'sub-workflow' | 'data table';

/** Nodes that call another workflow, and nodes that use a data table, with the parameter that says which. */
export const locators: readonly {
  readonly types: RegExp;
  readonly parameter: string;
  readonly kind: LocatedKind;
}[] = [
  {
    types: /\.(executeWorkflow|toolWorkflow|toolWorkflowTool|retrieverWorkflow|n8n|n8nTool)$/,
    parameter: 'workflowId',
    kind: 'sub-workflow',
  },
  { types: /\.(dataTable(Tool)?|evaluation(Trigger)?)$/i, parameter: 'dataTableId', kind: 'data table' },
];

/** A workflow or data table that a node names: by id, by name, or by an expression that picks it at run time. */
export interface Located {
  readonly kind: LocatedKind;
  /** `parameters.workflowId` */
  readonly where: string;
  readonly id?: string;
  readonly name?: string;
  readonly expression?: string;
}

/** Reads ids as well as n8n's resource locators. */
export function locatedIn(node: Node): Located[] {
  return locators.flatMap(({ types, parameter, kind }): Located[] => {
    if (!types.test(node.type)) return [];
    const given = node.parameters[parameter];
    const { value, mode, cachedResultName } = (
      typeof given === 'object' && given !== null ? given : { value: given }
    ) as Record<string, unknown>;
    if (typeof value !== 'string' || value === '') return [];
    const where = `parameters.${parameter}`;
    if (isExpression(value)) return [{ kind, where, expression: value }];
    if (mode === 'name') return [{ kind, where, name: value }];
    const name = typeof cachedResultName === 'string' && cachedResultName !== '' ? { name: cachedResultName } : {};
    return [{ kind, where, id: value, ...name }];
  });
}

export const isExpression = (value: string): boolean => value.startsWith('=');
