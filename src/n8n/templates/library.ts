import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Embedder } from '../../embedder/embedder.ts';
import { AppError } from '../../kernel/errors.ts';
import { shown } from '../../kernel/nearest-names.ts';
import { type OwnLibrary, ownLibrary } from './own/library.ts';
import { templateCache } from './public/cache.ts';
import { type PublicLibrary, publicLibrary } from './public/library.ts';
import { createService } from './public/service.ts';
import { noLibrary } from './search/no-library.ts';
import { createSearch } from './search/search.ts';
import { templateMeaning } from './search/meaning.ts';
import { wordIndex } from './search/words.ts';
import { PUBLIC, type TemplateSettings } from './settings.ts';
import type { TemplateLibrary } from './template.ts';

export interface LibraryDeps {
  /** The cache directory. */
  readonly cache: string;
  settings(): TemplateSettings;
  /** Without it, templates are found by words only. */
  readonly embedder?: () => Promise<Embedder>;
  /** Logs what is wrong with a file. */
  report(message: string): void;
}

/** The templates that shipped blueprints import: beside the sources, and beside what is built of them. */
const shippedFolder = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..', 'n8n-workflows', 'templates');
const SHIPPED = 'sluice';

/** `https://n8n.io/workflows/2947-some-words/` also names a template. */
const PAGE = /^https?:\/\/(?:[\w-]+\.)*n8n\.io\/workflows\/(\d{1,12})(?:[-/?#]|$)/;

/** Every template library of the settings. They may change at any time. */
export function templateLibrary({ cache, settings, embedder, report }: LibraryDeps): TemplateLibrary {
  const words = wordIndex();
  const meaning = embedder && templateMeaning(embedder, join(cache, 'templates', 'meanings.vectors'));
  let published: { readonly url: string; readonly library: PublicLibrary } | undefined;
  const own = new Map<string, { readonly folder: string; readonly library: OwnLibrary }>();
  // Not searched: blueprints name what they import.
  const shipped = ownLibrary(SHIPPED, shippedFolder, report);

  function publicOne(): PublicLibrary | undefined {
    const { url, public: isOn } = settings();
    if (!isOn) return undefined;
    if (published?.url !== url) {
      const library = publicLibrary(createService(url), templateCache(cache, url), () => settings().refresh);
      published = { url, library };
    }
    return published.library;
  }

  function ownOnes(): OwnLibrary[] {
    const { libraries } = settings();
    for (const name of own.keys()) if (!Object.hasOwn(libraries, name)) own.delete(name);
    return Object.entries(libraries).map(([name, folder]) => {
      let known = own.get(name);
      if (known?.folder !== folder) own.set(name, (known = { folder, library: ownLibrary(name, folder, report) }));
      return known.library;
    });
  }

  const { search, suggest } = createSearch({ publicOne, ownOnes, words, ...(meaning && { meaning }) });

  return {
    search,
    suggest,
    async get(given, signal) {
      const id = PAGE.exec(given.trim())?.[1] ?? given.trim().replace(/^public\//, '');
      const slash = id.indexOf('/');
      const name = slash < 0 ? PUBLIC : id.slice(0, slash);
      if (name !== PUBLIC) {
        const library = ownOnes().find((one) => one.name === name) ?? (name === SHIPPED ? shipped : undefined);
        if (library) return library.get(id.slice(slash + 1));
        throw noLibrary(name, ownOnes(), publicOne());
      }
      const library = publicOne();
      if (!library)
        throw new AppError('unsupported', 'The public template library is switched off: templates.public is false.');
      if (!/^\d{1,12}$/.test(id))
        throw new AppError(
          'not_found',
          `${shown(given)} is not the id of a template. Ids look like 2947, or team/invoices/reminder in a library of your own; n8n_search_templates shows them.`,
        );
      // 007 is 7: otherwise it would be kept and found as another template.
      return library.get(id.replace(/^0+(?=\d)/, ''), signal);
    },
    async sync(limit, signal, progress) {
      const library = publicOne();
      if (!library)
        throw new AppError(
          'unsupported',
          'The public template library is switched off: templates.public is false. Libraries of your own need no sync.',
        );
      return library.sync(limit, signal, progress);
    },
    async [Symbol.asyncDispose]() {
      words[Symbol.dispose]();
    },
  };
}
