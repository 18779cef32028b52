import { denial } from '../kernel/call.ts';
import { AppError } from '../kernel/errors.ts';
import type { Principal } from '../kernel/principal.ts';
import type { Gateway } from './gateway.ts';

/** Why this caller cannot call the tool, judged like its call; undefined if it can. */
export function refusalOf(
  { registry, visibility }: Pick<Gateway, 'registry' | 'visibility'>,
  tool: string,
  principal: Principal,
): AppError | undefined {
  const known = registry.find(tool);
  const denied = known && denial(principal, known);
  if (denied) return denied;
  const seen = visibility.projection({ view: {}, principal });
  if (known && seen.find(tool)) return undefined;
  return seen.withheld(tool) ?? new AppError('not_found', `Sluice does not offer ${tool} here.`);
}
