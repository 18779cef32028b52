import { AppError } from '../../kernel/errors.ts';
import { nearestNames, shown } from '../../kernel/nearest-names.ts';
import type { BridgeToolDeps } from './bridge-tool.ts';

/** Ids of the workflows that are meant; what is no workflow with AI tools is refused before anything is done. */
export function chosenIds({ bridge }: BridgeToolDeps, instance: string, asked: readonly string[]): string[] {
  const candidates = bridge.found(instance).filter(({ aiTools, archived }) => aiTools.length > 0 && !archived);
  return asked.flatMap((wanted) => {
    const byId = candidates.find(({ id }) => id === wanted);
    if (byId) return [byId.id];
    const named = candidates.filter(({ name }) => name === wanted);
    if (named.length > 1) {
      const ids = named.map(({ id }) => id).slice(0, 10);
      throw new AppError(
        'conflict',
        `Several workflows are called ${shown(wanted)}: say which by id: ${ids.join(', ')}.`,
      );
    }
    const [only] = named;
    if (only) return [only.id];
    const near = nearestNames(
      wanted,
      candidates.map(({ name }) => name),
    );
    throw new AppError(
      'not_found',
      `No workflow ${shown(wanted)} in ${instance} has AI tools. ${near.length > 0 ? `Did you mean ${near.join(' or ')}?` : 'bridge_status lists those that have.'}`,
    );
  });
}
