import type { Health } from '../kernel/health.ts';

/** A page of the console. */
export interface PageFile {
  /** Its address below `/console/`; empty for the first page. What follows it in a URL is the page's own. */
  readonly path: string;
  readonly title: string;
  /** Who does not have it does not see the page. */
  readonly scope: string;
  /** If this source is not served, the page is not shown. */
  readonly source?: string;
  /** The TSX module below `src` that is bundled; its default export is the page. */
  readonly module: string;
  /** Pages are listed in this order. */
  readonly order: number;
  /** `g` and then this letter open it. */
  readonly key: string;
  /** Parts of which kinds it is about: the overview links their health to it. */
  readonly kinds?: readonly Health['kind'][];
}

/** The pages of all parts, in their order. */
export function pagesOf(parts: Readonly<Record<string, { readonly pages?: readonly PageFile[] }>>): PageFile[] {
  return Object.values(parts)
    .flatMap(({ pages = [] }) => pages)
    .sort((a, b) => a.order - b.order);
}
