import type { Env } from '../../kernel/env.ts';
import type { Claim } from './claims.ts';
import type { References } from './references.ts';
import type { Schemes } from './scheme.ts';
import type { Tree } from './tree.ts';

export interface Loaded<Config = Readonly<Record<string, unknown>>> {
  config: Config;
  /** What the file says, with references as they are written. */
  written: Tree;
  /** What the file, the environment and the flags say together, before defaults. */
  said: Tree;
  /** Absent if there is no file and everything comes from defaults and the environment. */
  file?: string;
  /** Files to watch, whether or not they exist yet: the configuration, its `.env`, and secrets in files. */
  paths: string[];
  /** The environment, with the variables of `.env` as fallback. */
  env: Env;
  /** The claimed names of sources. */
  claims: readonly Claim[];
  /** Values to redact in logs and errors, longest first. */
  secrets: string[];
  /** What `${vault:…}` and `${file:…}` in the file stand for; undefined if it has no such reference. */
  references?: References;
}

export interface LoadOptions {
  /** `--config`: must exist. Without it sluice.yaml, .yml or .json is looked for in `cwd`, then in `home`. */
  file?: string;
  cwd: string;
  env: Env;
  home: string;
  /** Flags of the command line. They override the file. */
  flags?: Tree;
  /** Reads only these keys of the file: problems of others do not matter. */
  only?: readonly string[];
  /** What its references may lead to. Without it, what the parts bring. */
  schemes?: Schemes;
  /** What was read before, for references that cannot be read now. */
  known?: readonly References[];
}
