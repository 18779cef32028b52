import type { Node } from '../client/shapes.ts';
import { locators } from '../find/located.ts';
import { callersIn, type Draft, isPointing, NO_ERROR_WORKFLOW, placesIn, type Pointing } from './places.ts';

/** What a place is to point at: something else, nothing, or what it points at now (undefined). */
export type Target = { readonly id: string; readonly name: string } | 'none' | undefined;

/**
 * The workflow with its references pointed elsewhere. A locator by name stays one by name. A credential that points at
 * nothing keeps its name, so that n8n's editor shows which one to choose.
 */
export function rewritten<W extends Draft>(workflow: W, target: (place: Pointing) => Target): W {
  const targets = new Map<string, Map<string, Target>>();
  for (const place of placesIn(workflow)) {
    if (!isPointing(place)) continue;
    const key = JSON.stringify([place.node, place.where]);
    const at = targets.get(key) ?? new Map<string, Target>();
    targets.set(key, at.set(place.id ?? '', target(place)));
  }
  /** One place has one target, except `callerIds`, which has one for each id. */
  const targetAt = (node: string | undefined, where: string, id?: string): Target => {
    const at = targets.get(JSON.stringify([node, where]));
    return id === undefined ? at?.values().next().value : at?.get(id);
  };
  return {
    ...workflow,
    nodes: workflow.nodes.map((node) => rewrittenNode(node, (where) => targetAt(node.name, where))),
    ...(workflow.settings && {
      settings: rewrittenSettings(workflow.settings, (where, id) => targetAt(undefined, where, id)),
    }),
  };
}

function rewrittenNode(node: Node, targetAt: (where: string) => Target): Node {
  const parameters = { ...node.parameters };
  for (const { types, parameter } of locators) {
    if (!types.test(node.type)) continue;
    const to = targetAt(`parameters.${parameter}`);
    if (to !== undefined) parameters[parameter] = relocated(parameters[parameter], to);
  }
  if (!node.credentials) return { ...node, parameters };
  const credentials = Object.fromEntries(
    Object.entries(node.credentials).map(([type, held]) => {
      const to = targetAt(`credentials.${type}`);
      if (to === undefined) return [type, held];
      return [type, to === 'none' ? { ...held, id: null } : { ...held, id: to.id, name: to.name }];
    }),
  );
  return { ...node, parameters, credentials };
}

function relocated(given: unknown, to: Exclude<Target, undefined>): unknown {
  if (typeof given !== 'object' || given === null) return to === 'none' ? '' : to.id;
  // The cached URL names the n8n that it was picked in.
  const { cachedResultUrl: _, cachedResultName, ...locator } = given as Record<string, unknown>;
  if (to === 'none') return { ...locator, value: '' };
  if (locator.mode === 'name') return { ...locator, value: to.name };
  return { ...locator, value: to.id, ...(cachedResultName !== undefined && { cachedResultName: to.name }) };
}

function rewrittenSettings(
  settings: Record<string, unknown>,
  targetAt: (where: string, id: string) => Target,
): Record<string, unknown> {
  const { errorWorkflow, callerIds } = settings;
  const idOf = (to: Target, before: string): string[] => (to === 'none' ? [] : [to?.id ?? before]);
  return {
    ...settings,
    ...(typeof errorWorkflow === 'string' && {
      errorWorkflow: idOf(targetAt('settings.errorWorkflow', errorWorkflow), errorWorkflow)[0] ?? NO_ERROR_WORKFLOW,
    }),
    ...(typeof callerIds === 'string' && {
      callerIds: callersIn(callerIds)
        .flatMap((id) => idOf(targetAt('settings.callerIds', id), id))
        .join(','),
    }),
  };
}
