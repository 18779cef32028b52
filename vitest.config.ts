import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/longest-first.ts';
import { postgresIsMissing } from './test/support/postgres.ts';

export default defineConfig({
  test: {
    // Half of a test is waiting for others: for an n8n that starts, a process that ends, a time that passes.
    maxWorkers: 2 * availableParallelism(),
    sequence: { sequencer: LongestFirst },
    globalSetup: 'test/support/setup.ts',
    // A busy machine is slow; what never comes is still noticed.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 15_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'units',
          include: ['src/**/*.test.ts', 'bench/**/*.test.ts', 'test/*.test.ts', 'test/recall/*.test.ts'],
          // They leave nothing behind, and most of what they cost was loading the same modules for each file.
          isolate: false,
        },
      },
      {
        extends: true,
        test: { name: 'whole', include: ['test/integration/**/*.test.ts', 'test/e2e/**/*.test.ts'] },
      },
      // Suites that the store matters to, once more with another engine.
      ...(postgresIsMissing
        ? []
        : [
            {
              extends: true as const,
              test: {
                name: 'postgres',
                include: [
                  'auth/{authorization-server,keys,own-calls}',
                  'events/{composed,forwarding,keeping,live}',
                  'protocol/tasks',
                  'confirmation',
                  'memory/{tools,texts,namespaces,resources}',
                ].map((suites) => `test/integration/${suites}.test.ts`),
                env: { SLUICE_TEST_STORE: 'postgres' },
              },
            },
          ]),
    ],
  },
});
