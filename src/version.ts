import { readFileSync } from 'node:fs';

/** From package.json, which is one level up both in a clone and in the published package. */
export const version: string = (
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
).version;
