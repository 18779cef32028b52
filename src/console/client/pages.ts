import { computed, signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { hasSource, may } from './session.ts';

/** What a page gets. */
export interface PageProps {
  /** The parts of the URL after the page's own path, decoded. */
  readonly rest: readonly string[];
}

/** A page as the bundle lists it. */
export interface PageEntry {
  readonly path: string;
  readonly title: string;
  readonly scope: string;
  readonly source?: string;
  readonly key: string;
  readonly kinds?: readonly string[];
  load(): Promise<{ default: ComponentType<PageProps> }>;
}

/** All pages, in their order. */
export const pages = signal<readonly PageEntry[]>([]);

/** Those that whoever looks may see. */
export const shownPages = computed(() =>
  pages.value.filter(({ scope, source }) => may(scope) && (source === undefined || hasSource(source))),
);

/** The address of a page relative to the console, for links. */
export function linkTo(
  path: string,
  rest: readonly string[] = [],
  query: Readonly<Record<string, string>> = {},
): string {
  const segments = ['console', ...(path === '' ? [] : [path]), ...rest.map(encodeURIComponent)].join('/');
  const search = new URLSearchParams(query).toString();
  return search === '' ? segments : `${segments}?${search}`;
}
