import type { Env } from '../../kernel/env.ts';
import type { Claim } from './claims.ts';
import type { Tree } from './tree.ts';

export interface Loaded<Config = Readonly<Record<string, unknown>>> {
  config: Config;
  /** Absent where there is no file and everything is default or environment. */
  file?: string;
  /** What to watch: the file and its `.env`, whether or not they exist yet. */
  paths: string[];
  /** The environment with `.env` beneath it. */
  env: Env;
  /** Who has which name of a source. */
  claims: readonly Claim[];
  /** What must not appear in logs and errors, longest first. */
  secrets: string[];
}

export interface LoadOptions {
  /** `--config`: must exist. Without it sluice.yaml, .yml or .json is looked for in `cwd`, then in `home`. */
  file?: string;
  cwd: string;
  env: Env;
  home: string;
  /** What the command line says: it comes before the file. */
  flags?: Tree;
}
