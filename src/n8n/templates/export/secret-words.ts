import { secretName } from '../../../validation/credentials/secret-names.ts';
import { looksChosen, looksRandom } from '../../../validation/credentials/secret-patterns.ts';

/**
 * What the name of a field says about its value. `sure`: it is a secret, whatever it looks like. `likely`: it is one if
 * it is long, or looks like one. `perhaps`: only if it looks random.
 */
export type Suspicion = 'sure' | 'likely' | 'perhaps';

const password =
  /pass(?:word|wd|phrase|code|wort)s?$|kennwort$|contrase[nñ]a$|senha$|wachtwoord$|pwd$|(?:^|[-_. ])p(?:ass|w)$/i;
/** `smtpPass`, but not `compass`. */
const passwordInCamelCase = /[a-z]P(?:ass|w)$/;
const sure = /authorization$|secret$|(?:secret|private)(?:[-_ ]?access)?[-_ ]?key$/i;
const likely = /api[-_ ]?key$|(?:access|subscription|account|auth|master|encryption|signing)[-_ ]?key$|token$/i;
const perhaps =
  /(?:key|auth|session(?:[-_ ]?id)?|jwt|bearer|signature|credentials?|app[-_ ]?id|hash|hmac|salt)$|(?:^|[-_. ])(?:sid|sig|sas)$|^code$/i;

const LONGEST_NAME = 200;

export const isPassword = (name: string): boolean => password.test(name) || passwordInCamelCase.test(name);
export const isCookie = (name: string): boolean => /^(?:set-)?cookie$/i.test(name);

export function suspicionOf(name: string): Suspicion | undefined {
  if (name.length > LONGEST_NAME) return undefined;
  if (isPassword(name) || sure.test(name)) return 'sure';
  if (secretName.test(name) || likely.test(name)) return 'likely';
  return perhaps.test(name) ? 'perhaps' : undefined;
}

const placeholder = /\byour|your[-_]|<[^>]{0,100}>|x{5,}|\*{3,}|\.{3}|…|example|placeholder|change[-_ ]?me|redacted/i;

/** `API_KEY`, `TOKEN_HERE` */
const capitals = /^[A-Z_]*(?:KEY|TOKEN|SECRET|PASSWORD|CODE|USER|HERE)[A-Z_]*$/;

/**
 * Whether the value only shows where a secret goes. Narrower than the validator's list: a doubtful one is replaced. A
 * text that also has something random is none: `session=9f86d081…; site=example.com`.
 */
export function isStandIn(value: string): boolean {
  const some = value.slice(0, 500);
  if (capitals.test(some)) return true;
  if (!placeholder.test(some)) return false;
  return !some.split(/[^\w+/-]+/).some((part) => !placeholder.test(part) && looksRandom(part));
}

export const isRandom = (value: string): boolean => !isStandIn(value) && looksRandom(value);
export const isChosen = (value: string): boolean => !isStandIn(value) && looksChosen(value);

/** `Basic dXNlcjpwYXNz`: a user and a password. */
export function isUserAndPassword(value: string): boolean {
  if (!/^[A-Za-z0-9+/_-]{6,500}={0,2}$/.test(value)) return false;
  return /^[\x20-\x39\x3b-\x7e]{1,200}:[\x20-\x7e]{1,200}$/.test(Buffer.from(value, 'base64').toString('latin1'));
}

export function standInFor(name: string): string {
  if (isPassword(name)) return 'YOUR_PASSWORD';
  if (isCookie(name)) return 'YOUR_COOKIE';
  if (/secret/i.test(name)) return 'YOUR_SECRET';
  if (/key|app[-_ ]?id/i.test(name)) return 'YOUR_KEY';
  return 'YOUR_TOKEN';
}

const MOST_TRIED = 200;

/** Whether the text has something long and random, which may be a key without a known format, or an id. */
export function hasRandomText(text: string): boolean {
  let left = MOST_TRIED;
  for (const [part] of text.matchAll(/(?<![\w/+.%-])[A-Za-z0-9_-]{24,512}(?![\w/+.%-])/g)) {
    if (/(?:\d\D*){4}/.test(part) && !uuid.test(part) && isRandom(part)) return true;
    if (--left === 0) return false;
  }
  return false;
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
