import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: [
      'src/**/*.test.ts',
      'bench/**/*.test.ts',
      'test/*.test.ts',
      'test/integration/**/*.test.ts',
      'test/e2e/**/*.test.ts',
    ],
    // Much of a test is waiting for others. Unless told, vitest would leave one of two cores idle.
    maxWorkers: '100%',
    globalSetup: 'test/services/setup.ts',
    // A busy machine is slow; what never comes is still noticed.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 15_000 } },
  },
});
