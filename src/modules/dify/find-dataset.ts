import { AppError } from '../../kernel/errors.ts';
import { didYouMean, nearestNames } from '../../kernel/nearest-names.ts';
import { type Dataset, dataset as datasetAnswer, datasets } from './answers.ts';
import type { Dify } from './connection.ts';

const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;

/** A list may have names and ids. */
export const isAllowed = (dify: Dify, { id, name }: Pick<Dataset, 'id' | 'name'>): boolean =>
  dify.datasets.has(id) || dify.datasets.has(name);

/** The dataset that a call names, if it may be used. */
export async function findDataset(dify: Dify, given: string, signal: AbortSignal): Promise<Dataset> {
  const api = dify.knowledge();
  if (UUID.test(given)) {
    const found = await api.get(datasetAnswer, ['datasets', given.toLowerCase()], { signal });
    if (!isAllowed(dify, found)) dify.datasets.need(found.name);
    return found;
  }
  dify.datasets.need(given);
  const { data } = await api.get(datasets, ['datasets'], { query: { keyword: given, limit: 100 }, signal });
  const [found, ...others] = data.filter(({ name }) => name === given);
  if (found && others.length === 0) return found;
  if (found)
    throw new AppError(
      'conflict',
      `Several datasets are called ${given}. Use an id: ${[found, ...others].map(({ id }) => id).join(', ')}.`,
    );
  const names = (await api.get(datasets, ['datasets'], { query: { limit: 100 }, signal })).data
    .filter((one) => isAllowed(dify, one))
    .map(({ name }) => name);
  throw new AppError(
    'not_found',
    `There is no dataset ${given}. ${didYouMean(nearestNames(given, names), 'dify_list_datasets shows them.')}`,
  );
}
