import { denial } from '../../kernel/call.ts';
import type { Callable } from '../../kernel/callable.ts';
import { AppError } from '../../kernel/errors.ts';
import { hasScope, type Principal } from '../../kernel/principal.ts';
import type { Action } from '../definition/shape.ts';
import { toolFor } from '../definition/tool-for.ts';
import type { CarryDeps } from './carrying.ts';

/** What else running a workflow calls: to find it by its name, and to read how it ended. */
const WITH_WORKFLOW = ['n8n_list_workflows', 'n8n_get_execution'];

/** Whether it deploys or decides, which a run must not do by itself. */
export const isForPeople = ({ source, entry }: Callable): boolean =>
  ['blueprint', 'recipe'].includes(source) && (entry.judge?.({}) ?? entry).effect !== 'read';

/** Why the principal may not do it now, or why nobody can. */
export function refusalOf(
  action: Action,
  principal: Principal,
  { tool, isReadOnly }: Pick<CarryDeps, 'tool' | 'isReadOnly'>,
): AppError | undefined {
  const name = toolFor(action);
  if (name === undefined) {
    if (isReadOnly()) return new AppError('forbidden', 'This gateway is read-only, and a webhook may change things.');
    if (principal.readOnly) return new AppError('forbidden', 'This key is read-only, and a webhook may change things.');
    if (!hasScope(principal, 'blueprint:execute'))
      return new AppError('forbidden', 'Calling a webhook needs the scope blueprint:execute.');
    return undefined;
  }
  const args = action.kind === 'tool' ? action.arguments : {};
  const callable = tool(name, args);
  if (callable && isForPeople(callable))
    return new AppError(
      'unsupported',
      `A run may not call ${name}: people deploy and decide. To run another blueprint, use a step with blueprint: NAME.`,
    );
  if (!callable) return new AppError('not_found', `There is no tool ${name} at the moment.`);
  if (isReadOnly() && (callable.entry.judge?.(args) ?? callable.entry).effect !== 'read')
    return new AppError('forbidden', `${name} changes things, and this gateway is read-only.`);
  const others = action.kind === 'workflow' ? WITH_WORKFLOW.map((other) => tool(other)) : [];
  return (
    denial(principal, callable, args) ??
    others.map((other) => other && denial(principal, other)).find((denied) => denied !== undefined)
  );
}
