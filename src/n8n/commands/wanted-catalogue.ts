import { existsSync } from 'node:fs';
import type { Catalogue } from '../../nodes/catalogue.ts';
import { chosenFile } from '../../nodes/catalogues/choice.ts';
import { packageCatalogue } from '../../nodes/catalogues/places.ts';
import type { Sources } from '../../nodes/sources/sources.ts';
import { untilCancelled } from '../../cli/interrupt.ts';
import type { Terminal } from '../../host/terminal.ts';
import { checkedN8n } from '../../nodes/which-n8n.ts';

interface CataloguePlaces {
  readonly home: string;
  readonly cache: string;
  /** The default version of n8n. */
  readonly pinned: string;
  readonly sources: Sources;
}

/** Of one n8n, of a version, or of the pinned version. */
interface WantedCatalogue {
  readonly instance?: string | undefined;
  readonly n8n?: string | undefined;
}

export const STOPPED = 'Stopped. The last catalogue is kept.';

/** The stored catalogue. Without one, builds it now: that takes a while, shows progress, and stops at Ctrl-C. */
export async function wantedCatalogue(
  { home, cache, pinned, sources }: CataloguePlaces,
  { instance, n8n }: WantedCatalogue,
  terminal: Terminal,
): Promise<Catalogue> {
  const known =
    instance === undefined ? packageCatalogue(cache, checkedN8n(n8n ?? pinned)) : chosenFile(home, cache, instance);
  const { openCatalogue } = await import('../../nodes/catalogues/open.ts');
  if (known !== undefined && existsSync(known)) return openCatalogue(known);
  const { syncCatalogue } = await import('../../nodes/catalogues/sync.ts');
  const of = { ...(instance !== undefined && { instance }), ...(n8n !== undefined && { n8n }) };
  const signal = untilCancelled(STOPPED);
  const progress = (step: string, done: number, total: number) =>
    terminal.progress(`Node catalogue: ${step} (${done} of ${total})`);
  try {
    const { file } = await syncCatalogue(of, { home, cache, pinned, sources, signal, progress });
    return openCatalogue(file);
  } catch (error) {
    // The abort reason says more than the error of whatever was interrupted.
    throw signal.aborted ? signal.reason : error;
  }
}
