import { findRuntime, installRuntime } from '../../src/embedder/runtime.ts';
import { cacheDirectory } from '../../src/host/home.ts';

/** The cache with the runtime for models in directories: `npm test` installs it, outside of the checkout. */
export const modelCache = cacheDirectory(process.env);

/** For `describe.skipIf`: why there is none. If everything must run, the first caller installs it. */
export const runtimeIsMissing =
  (await findRuntime(modelCache)) !== undefined || process.env.CI === 'true'
    ? undefined
    : 'the runtime for models is not installed: `npm test` does it, or `sluice memory model fetch --runtime-only`';

export const needRuntime = (): Promise<string> => installRuntime({ cache: modelCache, env: process.env });
