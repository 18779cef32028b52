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
  // The server keeps slugs in lower case.
  const slug = given.toLowerCase();
  const page = await kuma.publicPage(slug, signal);
  if (!page) {
    kuma.pushed.statusPages.delete(slug);
    const near = nearestNames(slug, kuma.pushed.statusPages.keys());
    throw new AppError(
      'not_found',
      `There is no status page "${shown(given)}". ${didYouMean(inQuotes(near), 'uptimekuma_list_status_pages shows them.')}`,
    );
  }
  const { config } = await kuma.ask(configAnswer, 'getStatusPage', [slug], signal);
  return { config, page };
}

/** The monitors on a page, also those out of reach. */
export const monitorsOn = ({ groups }: PublicPage) => groups.flatMap(({ monitorList }) => monitorList);

export const addressOfPage = ({ base }: Kuma, slug: string): string => `${base}/status/${slug}`;

export const pagesOf = ({ pushed }: Kuma): StatusPage[] =>
  [...pushed.statusPages.values()].sort((a, b) => a.title.localeCompare(b.title));
