import { isPlaceholder, namesAnAddress } from '../../../validation/parameters/left-open.ts';
import type { Finding } from '../../../validation/finding.ts';
import { pointerNames } from '../../../validation/json/json-pointer.ts';
import type { Draft } from '../../mapping/places.ts';
import type { ToFill } from './report.ts';

/** What to fill in, if an error is about a value that the author left open: `https://<your host>/api`. */
export function leftOpen(
  { nodes }: Draft,
  { rule, path, severity, node }: Finding,
): Omit<ToFill, 'workflow'> | undefined {
  const [section, index, part, ...rest] = pointerNames(path);
  // Only where a placeholder cannot be mistaken: JSON and code have brackets of their own.
  if (rule !== 'invalid-url' || severity !== 'error' || section !== 'nodes' || part !== 'parameters') return undefined;
  let value: unknown = nodes[Number(index)]?.parameters;
  for (const step of rest) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Record<string, unknown>)[step];
  }
  if (typeof value !== 'string' || !(isPlaceholder(value) || namesAnAddress(value))) return undefined;
  return {
    what: 'value',
    ...(node !== undefined && { node }),
    name: rest.join('.'),
    how: 'Replace the placeholder: n8n_edit_workflow set_parameter',
  };
}
