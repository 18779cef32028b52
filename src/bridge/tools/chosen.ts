import { AppError } from '../../kernel/errors.ts';
import { didYouMean, nearestNames, shown } from '../../kernel/nearest-names.ts';
import type { Found } from '../discover.ts';
import type { BridgeToolDeps } from './bridge-tool.ts';

type Candidate = Pick<Found, 'id' | 'name'>;

/** Ids of the requested workflows. Throws before anything is changed if one cannot be bridged. */
export function chosenIds({ bridge }: BridgeToolDeps, instance: string, asked: readonly string[]): string[] {
  const candidates = bridge.found(instance).filter(({ archived }) => !archived);
  return asked.map((wanted) => {
    const { id, name, excluded } = meant(candidates, wanted, (near) =>
      notFound(
        `No workflow ${shown(wanted)} in ${instance} has AI tools, or a trigger that can be called (sub-workflow, webhook, form, chat).`,
        near,
      ),
    );
    if (!excluded) return id;
    throw new AppError(
      'conflict',
      `The configuration excludes ${shown(name)}. Remove it from bridge.workflows.exclude, or allow its project in bridge.projects.`,
    );
  });
}

/** Ids of the workflows to drop. Only workflows that bridge_apply chose can be dropped. */
export function droppedIds({ bridge }: BridgeToolDeps, instance: string, asked: readonly string[]): string[] {
  const found = bridge.found(instance);
  const byHand = bridge.asked.of(instance);
  return asked.map((wanted) => {
    // A workflow that was deleted in n8n has no name any more, only its id.
    if (byHand.includes(wanted)) return wanted;
    const { id, name, chosen, toolsChosen } = meant(found, wanted, (near) =>
      notFound(`No workflow ${shown(wanted)} in ${instance} was chosen.`, near),
    );
    if (byHand.includes(id)) return id;
    const why = chosen ?? toolsChosen;
    throw new AppError(
      'conflict',
      why === undefined
        ? `${shown(name)} is not chosen. bridge_status lists the chosen workflows.`
        : `${shown(name)} was not chosen by bridge_apply but ${reasons[why]}.`,
    );
  });
}

const reasons = {
  tag: 'by a tag. Remove the tag in n8n, or add the workflow to bridge.workflows.exclude in the configuration',
  config: 'by the configuration. Remove it from bridge.workflows.include or bridge.tools.workflows',
  available_in_mcp: 'by "Available in MCP" in its n8n settings. Switch that off',
  asked: 'by hand',
  file: 'by the shared file. Remove its tools from that file',
} as const;

function meant<T extends Candidate>(
  candidates: readonly T[],
  wanted: string,
  none: (near: readonly string[]) => AppError,
): T {
  const byId = candidates.find(({ id }) => id === wanted);
  if (byId) return byId;
  const named = candidates.filter(({ name }) => name === wanted);
  if (named.length > 1) {
    const ids = named.map(({ id }) => id).slice(0, 10);
    throw new AppError('conflict', `Several workflows are called ${shown(wanted)}. Use an id: ${ids.join(', ')}.`);
  }
  const [only] = named;
  if (only) return only;
  throw none(
    nearestNames(
      wanted,
      candidates.map(({ name }) => name),
    ),
  );
}

const notFound = (message: string, near: readonly string[]): AppError =>
  new AppError('not_found', `${message} ${didYouMean(near, 'bridge_status lists the workflows.')}`);
