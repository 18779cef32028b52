import { z } from 'zod';
import { isTree } from '../host/config/tree.ts';
import { part } from '../host/part.ts';

const modulesSection = z
  .record(z.string(), z.unknown())
  .superRefine((given, context) => {
    for (const name of Object.keys(given))
      context.addIssue({
        code: 'custom',
        path: [name],
        message: 'is a module, and there are none yet',
        params: { fix: 'Remove it, or add an MCP server for the service under mcpServers.' },
      });
  })
  .default({});

/** The services of a self-hosted stack. There are none yet, so naming one is an error. */
export const modulesPart = part({
  settings: { modules: modulesSection },
  claims: ({ modules }) =>
    isTree(modules)
      ? Object.keys(modules).map((name) => ({ name, owner: `the module "${name}"`, path: ['modules', name] }))
      : [],
  environment: (_, { env }) =>
    env.SLUICE_MODULES
      ? [
          {
            variable: 'SLUICE_MODULES',
            problem: { message: 'names modules, and there are none yet', fix: 'Unset it.' },
          },
        ]
      : [],
});
