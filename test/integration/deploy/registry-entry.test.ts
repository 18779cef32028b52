/** server.json, as the MCP registry takes it: schema 2025-12-11, and what the registry checks beyond it. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { z } from 'zod';

const here = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
const json = async (path: string) => JSON.parse(await readFile(here(path), 'utf8')) as Record<string, unknown>;

// Written from the documentation of the format. Strict, unlike the original: a misspelt key must not pass.
const input = {
  description: z.string().optional(),
  isRequired: z.boolean().optional(),
  isSecret: z.boolean().optional(),
  format: z.enum(['string', 'number', 'boolean', 'filepath']).optional(),
  value: z.string().optional(),
  default: z.string().optional(),
  placeholder: z.string().optional(),
  choices: z.array(z.string()).optional(),
};
const named = z.strictObject({
  ...input,
  type: z.literal('named'),
  name: z.string(),
  isRepeated: z.boolean().optional(),
});
const positional = z
  .strictObject({
    ...input,
    type: z.literal('positional'),
    valueHint: z.string().optional(),
    isRepeated: z.boolean().optional(),
  })
  .refine(({ value, valueHint }) => value !== undefined || valueHint !== undefined, 'needs a value or a valueHint');
const args = z.array(z.discriminatedUnion('type', [named, positional])).optional();
const variable = z.strictObject({ ...input, name: z.string().regex(/^[A-Z][A-Z0-9_]*$/) });
const exact = z
  .string()
  .max(255)
  .regex(/^\d+\.\d+\.\d+(?:-[\w.]+)?$/, 'is a version, not a range');
const shared = {
  runtimeHint: z.string().optional(),
  transport: z.strictObject({ type: z.literal('stdio') }),
  runtimeArguments: args,
  packageArguments: args,
  environmentVariables: z.array(variable).optional(),
};
const server = z.strictObject({
  $schema: z.literal('https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'),
  name: z
    .string()
    .min(3)
    .max(200)
    .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
  title: z.string().min(1).max(100).optional(),
  description: z.string().min(1).max(100),
  version: exact,
  repository: z.strictObject({ url: z.url(), source: z.string() }).optional(),
  packages: z.array(
    z.discriminatedUnion('registryType', [
      z.strictObject({ ...shared, registryType: z.literal('npm'), identifier: z.string(), version: exact }),
      // The version is in the identifier.
      z.strictObject({
        ...shared,
        registryType: z.literal('oci'),
        identifier: z.string().regex(/^(?:docker\.io|ghcr\.io)\/[\w.-]+\/[\w.-]+:[\w.-]+$/),
      }),
    ]),
  ),
});

test('it is valid', async () => {
  expect(server.safeParse(await json('server.json')).error).toBeUndefined();
});

test.each([
  ['a range', { version: '^0.1.0' }],
  ['a description that is too long', { description: 'x'.repeat(101) }],
  ['a name without a namespace', { name: 'sluice' }],
  ['an unknown key', { status: 'active' }],
])('%s is not', async (_, change) => {
  expect(server.safeParse({ ...(await json('server.json')), ...change }).success).toBe(false);
});

test('it names this version of the package, which names it back', async () => {
  const { name, version, packages } = server.parse(await json('server.json'));
  const own = await json('package.json');
  expect({ name, version }).toEqual({ name: own.mcpName, version: own.version });
  expect(packages.map(({ identifier }) => identifier)).toEqual(['sluice', `ghcr.io/sluice/sluice:${version}`]);
  for (const one of packages) if (one.registryType === 'npm') expect(one.version).toBe(version);
});

test('every variable is one that Sluice reads, and keys are secrets', async () => {
  const { packages } = server.parse(await json('server.json'));
  const configuration = await readFile(here('docs/configuration.md'), 'utf8');
  for (const { environmentVariables = [] } of packages) {
    for (const { name, isSecret = false } of environmentVariables) {
      expect(configuration).toContain(`\`${name}\``);
      expect({ name, isSecret }).toEqual({ name, isSecret: /KEY|TOKEN|PASSWORD|SECRET/.test(name) });
    }
  }
});
