import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/long/**/*.test.ts'],
    globalSetup: 'test/support/setup.ts',
    testTimeout: 3_600_000,
    hookTimeout: 600_000,
    fileParallelism: false,
  },
});
