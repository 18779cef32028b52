import { join } from 'node:path';
import { waitForLock } from '../host/process-lock.ts';
import { AppError } from '../kernel/errors.ts';
import { type Download, download } from './download.ts';
import { type HubModel, hubUrl } from './hub-model.ts';

export interface FetchOptions extends Pick<Download, 'retry' | 'stallMs' | 'signal'> {
  readonly cache: string;
  /** The hub, or a mirror with the same layout. */
  readonly from: string;
  readonly model: HubModel;
  /** `of` is not known of every model. */
  onProgress?(progress: { readonly done: number; readonly of: number }): void;
  waiting?(): void;
}

/** Downloads a model into the cache unless it is there. Returns its directory. */
export async function fetchModel(options: FetchOptions): Promise<string> {
  const { cache, from, model, onProgress, waiting, ...rest } = options;
  const directory = join(cache, 'embedder', model.name);
  using _lock = await waitForLock(`${directory}.lock`, () => waiting?.(), rest.signal);
  const of = model.files.reduce((sum, { bytes = 0 }) => sum + bytes, 0);
  let before = 0;
  for (const { path, bytes, sha256 } of model.files) {
    let here = 0;
    const progress = (done: number) => {
      here = done;
      onProgress?.({ done: before + here, of: Math.max(of, before + here) });
    };
    const url = hubUrl(from, model, path);
    await download({ ...rest, url, to: join(directory, path), bytes, sha256, progress }).catch((error: unknown) => {
      throw error instanceof AppError && error.code === 'unavailable' ? byHand(error, model, directory) : error;
    });
    before += here;
  }
  return directory;
}

function byHand(error: AppError, { repository, files }: HubModel, directory: string): AppError {
  const names = files.map(({ path }) => path).join(', ');
  return new AppError(
    'unavailable',
    `${error.message} Run the command again: it continues where it stopped. Behind a proxy, set HTTPS_PROXY and NODE_USE_ENV_PROXY=1; with a mirror, add --from URL. Or copy these files of ${repository} into ${directory}: ${names}. Then write that path as memory.embedder.directory.`,
    { cause: error },
  );
}
