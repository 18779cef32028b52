import { z } from 'zod';
import type { N8nHttp } from './http.ts';

const packageShape = z.looseObject({
  packageName: z.string(),
  installedVersion: z.string(),
  authorName: z.string().nullish(),
  installedNodes: z
    .array(z.looseObject({ name: z.string(), type: z.string(), latestVersion: z.number().optional() }))
    .default([]),
  updateAvailable: z.string().nullish(),
  failedLoading: z.boolean().optional(),
});

export type CommunityPackage = z.output<typeof packageShape>;

export interface WantedPackage {
  readonly version?: string;
  /** Install only what n8n has checked. */
  readonly verify: boolean;
}

/** n8n runs npm before it answers. */
const NPM_MS = 300_000;

export function communityPackagesOf(http: N8nHttp) {
  const at = (name: string) => `/api/v1/community-packages/${encodeURIComponent(name)}`;
  const timeoutMs = Math.max(NPM_MS, http.address.timeoutMs);
  return {
    all: async (signal?: AbortSignal) =>
      z
        .array(packageShape)
        .parse(await http.ask('GET', '/api/v1/community-packages', { timeoutMs, ...(signal && { signal }) })),
    install: async (name: string, wanted: WantedPackage) =>
      packageShape.parse(
        await http.ask('POST', '/api/v1/community-packages', { body: { name, ...wanted }, timeoutMs }),
      ),
    update: async (name: string, wanted: WantedPackage) =>
      packageShape.parse(await http.ask('PATCH', at(name), { body: wanted, timeoutMs })),
    async uninstall(name: string): Promise<void> {
      await http.ask('DELETE', at(name), { timeoutMs });
    },
  };
}
