import { setTimeout as delay } from 'node:timers/promises';
import { messageOf } from '../../kernel/errors.ts';
import type { Problem, Text } from './folder.ts';

/** Definitions in a Vault: texts by the path of their secret. */
export interface VaultFolder {
  read(): Promise<ReadonlyMap<string, string>>;
}

export interface VaultTexts {
  texts(): Promise<readonly Text[]>;
  problems(): readonly Problem[];
}

const FRESH_MS = 30_000;
/** A Vault that hangs does not hold up lists for longer, once it has answered or failed. */
const PATIENCE_MS = 2000;

/** Other texts in Vault are secrets: lists and findings must not show them. */
const DEFINITION = /(?:^[ \t]*|[{,]\s*)["']?steps["']?\s*:/m;

/** Reads at most every 30 s. What was read last stays while Vault does not answer. */
export function vaultTexts(vault: VaultFolder, now = Date.now): VaultTexts {
  let known: ReadonlyMap<string, string> | undefined;
  let problem: string | undefined;
  let readAt = Number.NEGATIVE_INFINITY;
  let working: Promise<void> | undefined;

  async function read(): Promise<void> {
    try {
      known = new Map([...(await vault.read())].filter(([, text]) => DEFINITION.test(text)));
      problem = undefined;
    } catch (error) {
      problem = messageOf(error);
    }
    readAt = now();
  }

  return {
    async texts() {
      if (now() - readAt >= FRESH_MS)
        working ??= read().finally(() => {
          working = undefined;
        });
      const isFirst = known === undefined && problem === undefined;
      if (working) await (isFirst ? working : Promise.race([working, delay(PATIENCE_MS, undefined, { ref: false })]));
      return [...(known ?? [])].map(([where, text]) => ({ where, text }));
    },
    problems: () => (problem === undefined ? [] : [{ where: 'vault', message: problem }]),
  };
}
