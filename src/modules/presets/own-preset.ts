import { z } from 'zod';
import { httpUrl, text } from '../../host/config/scalars.ts';
import type { Preset, Source } from './preset.ts';

const globs = z.array(z.string().min(1));
const args = z.array(text);
const values = z.record(z.string(), text);

const pinned = (example: string) =>
  z.string().superRefine((given, context) => {
    if (/^(?:@[\w.-]+\/)?[\w.-]+@\d+\.\d+\.\d+[\w.+-]*$/.test(given)) return;
    context.addIssue({
      code: 'custom',
      message: 'does not name one version',
      params: { fix: `Write it as ${example}, so that an update is your decision.` },
    });
  });

/** `server` of a section: a server of the user's choice, described as the built-in ones are. */
export const ownPreset = z
  .strictObject({
    description: z.string().min(1).max(100).optional(),
    npm: pinned('"@scope/name@1.2.3"').optional(),
    pypi: pinned('"name@1.2.3"').optional(),
    command: z.string().min(1).optional(),
    url: httpUrl.optional(),
    args: args.optional(),
    env: values.optional(),
    headers: values.optional(),
    readOnly: z.strictObject({ args: args.optional(), env: values.optional(), headers: values.optional() }).optional(),
    reads: globs.min(1).optional(),
    never: globs.optional(),
    confirm: globs.optional(),
    isolation: z.enum(['shared', 'session', 'principal']).optional(),
  })
  .transform((given, context): Preset => {
    const { description = 'An MCP server', npm, pypi, command, url, args: more, env, headers, ...rest } = given;
    const sources = [npm, pypi, command, url].filter((one) => one !== undefined);
    if (sources.length !== 1)
      context.addIssue({
        code: 'custom',
        message: sources.length === 0 ? 'does not say where the server comes from' : 'names several sources',
        params: { fix: 'Keep one of npm, pypi, command and url.' },
      });
    const flags = { ...(more && { args: more }), ...(env && { env }), ...(headers && { headers }) };
    return { description, source: { ...flags, ...sourceOf({ npm, pypi, command, url }) }, ...rest };
  });

type Written = Readonly<Record<'npm' | 'pypi' | 'command' | 'url', string | undefined>>;

function sourceOf({ npm, pypi, command, url = '' }: Written): Source {
  if (npm !== undefined) return { npm: named(npm), version: versionOf(npm) };
  if (pypi !== undefined) return { pypi: named(pypi), version: versionOf(pypi) };
  return command === undefined ? { url } : { command };
}

const named = (spec: string): string => spec.slice(0, spec.lastIndexOf('@'));
const versionOf = (spec: string): string => spec.slice(spec.lastIndexOf('@') + 1);
