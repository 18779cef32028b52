import { z } from 'zod';
import { duration } from '../../host/config/duration.ts';
import { httpUrl, integer } from '../../host/config/scalars.ts';
import { allowList } from '../allowed.ts';
import type { Problem } from '../module.ts';

const key = z.string().trim().min(1);

export const difySettings = z.object({
  /** With or without /v1. */
  url: httpUrl.default('https://api.dify.ai/v1'),
  /** Of the app that calls use if they name none. */
  apiKey: key.optional(),
  /** Every app of Dify has its own key. */
  apps: z.record(z.string().min(1).max(100), key).default({}),
  /** Of the knowledge API, which has keys of its own. */
  datasetKey: key.optional(),
  /** Names or ids. */
  datasets: allowList,
  /** Conversations belong to an end user of the app. */
  user: z.string().min(1).max(200).default('sluice'),
  /** How many chats and runs may go on at the same time. */
  concurrency: integer(1, 100).default(4),
  /** Models and workflows take their time. */
  timeout: duration.default(300_000),
});

export type DifySettings = z.output<typeof difySettings>;

/** The name of the app whose key is `apiKey`. */
export const DEFAULT_APP = 'default';

export function problemsIn({ apiKey, apps, datasetKey }: DifySettings): readonly Problem[] {
  const names = Object.keys(apps);
  if (apiKey === undefined && datasetKey === undefined && names.length === 0)
    return [
      {
        message: 'has no key',
        fix: 'Add apiKey: app-… or apps: { name: app-… } (in Dify: the app, API Access), or datasetKey: dataset-… (Knowledge, API Access), or set DIFY_API_KEY.',
      },
    ];
  if (apiKey !== undefined && names.includes(DEFAULT_APP))
    return [{ key: 'apps', message: 'has an app named default, as apiKey has', fix: 'Rename it, or remove apiKey.' }];
  return [];
}

/** The base of the API: paths of Dify's documentation follow it. */
export const baseOf = (url: string): string => {
  const plain = url.replace(/\/+$/, '');
  return /\/v\d+$/.test(new URL(plain).pathname) ? plain : `${plain}/v1`;
};
