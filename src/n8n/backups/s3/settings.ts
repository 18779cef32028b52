import { isIP } from 'node:net';
import { z } from 'zod';
import type { Fill } from '../../../host/config/fill.ts';
import { flag, httpUrl, integer, isHttpUrl } from '../../../host/config/scalars.ts';
import { isTree, type Tree } from '../../../host/config/tree.ts';
import type { Env } from '../../../kernel/env.ts';

/** Anything else cannot be in a header, and the error about it would quote the key. */
const KEY = /^[\x21-\x7e]*$/;
const KEY_RULE = 'must be printable ASCII, without spaces or line breaks';
const key = z.string().min(1, 'is empty').regex(KEY, KEY_RULE);

/** Backups in a bucket of S3, or of anything that speaks its protocol. */
export const s3Section = z
  .strictObject({
    /** `copy`: after the disk, in the background. `required`: before a change, too. `only`: without the disk. */
    mode: z.enum(['copy', 'required', 'only']).default('copy'),
    /** Default: AWS, in the region. */
    endpoint: httpUrl.optional(),
    region: z
      .string()
      .regex(/^[a-z0-9-]+$/i, 'must be the name of a region, like eu-central-1')
      .default('us-east-1'),
    bucket: z.string().regex(/^[a-z0-9][a-z0-9._-]{1,61}[a-z0-9]$/i, 'must be the name of a bucket'),
    prefix: z
      .string()
      .max(400)
      .refine((text) => text.split('/').every((part) => part !== '.' && part !== '..'), 'must not contain . or ..')
      .transform((text) => text.replace(/^\/+/, '').replace(/([^/])\/*$/, '$1/'))
      .default(''),
    accessKeyId: key,
    secretAccessKey: key,
    /** Empty means none, so that `${AWS_SESSION_TOKEN:-}` works. */
    sessionToken: z
      .string()
      .regex(KEY, KEY_RULE)
      .transform((text) => (text === '' ? undefined : text))
      .optional(),
    pathStyle: flag.optional(),
    /** The certificate of its authority: PEM, or the path of a file. */
    ca: z.string().min(1).optional(),
    encryption: z.enum(['AES256', 'aws:kms']).optional(),
    /** Retention there. Default: as on the disk. */
    keep: integer(1, 1000).optional(),
    days: integer(1, 3650).optional(),
  })
  .superRefine(({ endpoint, pathStyle }, context) => {
    if (pathStyle !== false || endpoint === undefined || !isAddress(endpoint)) return;
    context.addIssue({
      code: 'custom',
      path: ['pathStyle'],
      message: 'is false, but an IP address cannot have the bucket in front of it',
      params: { fix: 'Remove it, or use a host name in endpoint.' },
    });
  });

/** Whether the host of this URL is an IP address. */
const isAddress = (url: string): boolean => isIP(URL.parse(url)?.hostname.replace(/^\[|\]$/g, '') ?? '') !== 0;

export type S3Settings = z.output<typeof s3Section>;

/** Variables complete a section that the file has, but switch nothing on. */
export function s3Fills({ backups }: Tree, env: Env): Fill[] {
  if (!isTree(backups) || !isTree(backups.s3)) return [];
  const { accessKeyId, secretAccessKey } = backups.s3;
  const at = (key: string, variable: string, problem?: Fill['problem']): Fill[] =>
    env[variable] ? [{ variable, path: ['backups', 's3', key], value: env[variable], problem }] : [];
  const endpoint = ['AWS_ENDPOINT_URL_S3', 'AWS_ENDPOINT_URL'].find((name) => env[name]);
  const notUrl = { message: 'is not an http or https URL', fix: 'Set it to a URL like https://s3.example.com.' };
  // Parts of two different keys never fit together.
  const isOtherKey =
    (accessKeyId !== undefined && accessKeyId !== env.AWS_ACCESS_KEY_ID && env.AWS_ACCESS_KEY_ID !== undefined) ||
    (secretAccessKey !== undefined && secretAccessKey !== env.AWS_SECRET_ACCESS_KEY);
  return [
    ...(endpoint === undefined ? [] : at('endpoint', endpoint, isHttpUrl(env[endpoint] ?? '') ? undefined : notUrl)),
    ...at('region', env.AWS_REGION ? 'AWS_REGION' : 'AWS_DEFAULT_REGION'),
    ...(isOtherKey
      ? []
      : [
          ...at('accessKeyId', 'AWS_ACCESS_KEY_ID'),
          ...at('secretAccessKey', 'AWS_SECRET_ACCESS_KEY'),
          ...at('sessionToken', 'AWS_SESSION_TOKEN'),
        ]),
  ];
}
