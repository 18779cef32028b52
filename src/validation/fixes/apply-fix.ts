import type { Fix, PatchOperation } from '../finding.ts';
import { pointerNames } from '../json/json-pointer.ts';

/**
 * A copy of the workflow with the fix applied. `undefined` if the fix no longer fits, because the workflow has changed
 * or another fix was applied.
 */
export function applyFix<T>(workflow: T, { patch }: Fix): T | undefined {
  const copy = structuredClone(workflow);
  return applyPatch(copy, patch) ? copy : undefined;
}

/** Changes `root` in place. If the patch does not fit, part of it may be applied. */
export function applyPatch(root: unknown, patch: readonly PatchOperation[]): boolean {
  return patch.every((operation) => apply(root, operation));
}

function apply(root: unknown, operation: PatchOperation): boolean {
  const names = pointerNames(operation.path);
  const last = names.pop();
  if (last === undefined) return false;
  let place = root;
  for (const name of names) {
    if (typeof place !== 'object' || place === null || !Object.hasOwn(place, name)) return false;
    place = (place as Record<string, unknown>)[name];
  }
  if (Array.isArray(place)) return applyToList(place, last, operation);
  if (typeof place !== 'object' || place === null) return false;
  if (operation.op !== 'add' && !Object.hasOwn(place, last)) return false;
  if (operation.op === 'remove') return delete (place as Record<string, unknown>)[last];
  // A plain assignment to __proto__ would change the prototype.
  Object.defineProperty(place, last, { value: operation.value, writable: true, enumerable: true, configurable: true });
  return true;
}

function applyToList(list: unknown[], last: string, operation: PatchOperation): boolean {
  const index = last === '-' ? list.length : Number(last);
  const end = operation.op === 'add' ? list.length : list.length - 1;
  if (!Number.isInteger(index) || index < 0 || index > end) return false;
  if (operation.op === 'remove') list.splice(index, 1);
  else list.splice(index, operation.op === 'add' ? 0 : 1, operation.value);
  return true;
}
