import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import { didYouMean, inQuotes, nearestNames, shown } from '../../kernel/nearest-names.ts';
import type { PublicPage, StatusPage } from './answers.ts';
import type { Kuma } from './connection.ts';

/** All of its settings, also those that Sluice does not know: saving wants them back. */
export type PageConfig = Readonly<Record<string, unknown>> & { readonly slug: string; readonly title: string };

const configAnswer = z.looseObject({ config: z.looseObject({ slug: z.string(), title: z.string() }) });

export interface WholePage {
  readonly config: PageConfig;
  readonly page: PublicPage;
}

/** A status page with its settings, groups and incidents. */
export async function statusPage(kuma: Kuma, given: string, signal: AbortSignal): Promise<WholePage> {
  // New slugs are in lower case; they can be changed.
  const slug = kuma.pushed.statusPages.has(given) ? given : given.toLowerCase();
  const found = await pageIfThere(kuma, slug, signal);
  if (found) return found;
  kuma.pushed.statusPages.delete(slug);
  const near = nearestNames(slug, kuma.pushed.statusPages.keys());
  throw new AppError(
    'not_found',
    `There is no status page "${shown(given)}". ${didYouMean(inQuotes(near), 'uptimekuma_list_status_pages shows them.')}`,
  );
}

export async function pageIfThere(kuma: Kuma, slug: string, signal: AbortSignal): Promise<WholePage | undefined> {
  // First over the socket: over HTTP, 1.23 does not answer at all if there is no such page.
  const config = await configOf(kuma, slug, signal);
  const page = config && (await kuma.publicPage(slug, signal));
  return page && { config, page };
}

async function configOf(kuma: Kuma, slug: string, signal: AbortSignal): Promise<PageConfig | undefined> {
  try {
    return (await kuma.ask(configAnswer, 'getStatusPage', [slug], signal)).config;
  } catch (error) {
    if (error instanceof AppError && error.message.includes('No slug?')) return undefined;
    throw error;
  }
}

/** The monitors on a page, also those out of reach. */
export const monitorsOn = ({ groups }: PublicPage) => groups.flatMap(({ monitorList }) => monitorList);

export const addressOfPage = ({ base }: Kuma, slug: string): string => `${base}/status/${slug}`;

export const pagesOf = ({ pushed }: Kuma): StatusPage[] =>
  [...pushed.statusPages.values()].sort((a, b) => a.title.localeCompare(b.title));
