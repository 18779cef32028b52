import { existsSync } from 'node:fs';
import { AppError } from '../kernel/errors.ts';
import type { Catalogue } from '../nodes/catalogue.ts';
import { chosenFile } from '../nodes/catalogues/choice.ts';
import { packageCatalogue } from '../nodes/catalogues/places.ts';
import type { Sources } from '../nodes/sources/sources.ts';
import { untilSignal } from './interrupt.ts';
import type { Terminal } from '../host/terminal.ts';
import { checkedN8n } from '../nodes/which-n8n.ts';

export interface CataloguePlaces {
  readonly home: string;
  readonly cache: string;
  /** The version of n8n where nothing else says one. */
  readonly pinned: string;
  readonly sources: Sources;
}

/** Of one n8n, of a version, or of the pinned version. */
export interface WantedCatalogue {
  readonly instance?: string | undefined;
  readonly n8n?: string | undefined;
}

/** The catalogue that is there, else one that is built now: that takes a while, is shown, and ends with Ctrl-C. */
export async function wantedCatalogue(
  { home, cache, pinned, sources }: CataloguePlaces,
  { instance, n8n }: WantedCatalogue,
  terminal: Terminal,
): Promise<Catalogue> {
  const known =
    instance === undefined ? packageCatalogue(cache, checkedN8n(n8n ?? pinned)) : chosenFile(home, cache, instance);
  const { openCatalogue } = await import('../nodes/catalogues/open.ts');
  if (known !== undefined && existsSync(known)) return openCatalogue(known);
  const stopping = new AbortController();
  void untilSignal().then(() => stopping.abort(new AppError('cancelled', 'Stopped; the last catalogue stays.')));
  const { syncCatalogue } = await import('../nodes/catalogues/sync.ts');
  const of = { ...(instance !== undefined && { instance }), ...(n8n !== undefined && { n8n }) };
  const { file } = await syncCatalogue(of, {
    home,
    cache,
    pinned,
    sources,
    signal: stopping.signal,
    progress: (step, done, total) => terminal.progress(`Node catalogue: ${step} (${done} of ${total})`),
  });
  return openCatalogue(file);
}
