/** Keys with a recognisable format. */
const forms: readonly { readonly what: string; readonly form: RegExp }[] = [
  { what: 'an AWS access key', form: /\b(?:AKIA|ASIA)[A-Z2-7]{16}\b/g },
  { what: 'a GitHub token', form: /\bgh[pousr]_[A-Za-z0-9]{36,}\b/g },
  { what: 'a GitHub token', form: /\bgithub_pat_[A-Za-z0-9_]{50,}\b/g },
  { what: 'a GitLab token', form: /\bglpat-[A-Za-z0-9_-]{20,}/g },
  { what: 'a Slack token', form: /\bxox[abeoprs]-\d[A-Za-z0-9-]{16,}/g },
  {
    what: 'a Slack webhook URL',
    form: /hooks\.slack\.com\/services\/T[A-Z0-9]{6,}\/B[A-Z0-9]{6,}\/[A-Za-z0-9]{16,}/g,
  },
  { what: 'a Discord webhook URL', form: /discord(?:app)?\.com\/api\/webhooks\/\d{15,}\/[\w-]{50,}/g },
  { what: 'an Anthropic key', form: /\bsk-ant-[A-Za-z0-9_-]{20,}/g },
  { what: 'an OpenRouter key', form: /\bsk-or-v1-[0-9a-f]{40,}/g },
  { what: 'an OpenAI key', form: /\bsk-(?=[\w-]{0,200}\d)(?=[\w-]{0,200}[A-Z])(?:proj-|svcacct-)?[A-Za-z0-9_-]{32,}/g },
  { what: 'a Google key', form: /\bAIza[A-Za-z0-9_-]{35}(?![\w-])/g },
  { what: 'a Google token', form: /\bya29\.[A-Za-z0-9_-]{30,}/g },
  { what: 'a Stripe key', form: /\b[rs]k_(?:live|test)_[A-Za-z0-9]{20,}/g },
  { what: 'a SendGrid key', form: /\bSG\.[A-Za-z0-9_-]{20,}\.[A-Za-z0-9_-]{30,}/g },
  { what: 'a Telegram bot token', form: /(?<=\b|\bbot)\d{8,10}:AA[A-Za-z0-9_-]{32,34}\b/g },
  { what: 'a Twilio key', form: /\bSK[0-9a-f]{32}\b/g },
  { what: 'an npm token', form: /\bnpm_[A-Za-z0-9]{36}\b/g },
  { what: 'a Notion token', form: /\b(?:secret_[A-Za-z0-9]{43}|ntn_[A-Za-z0-9]{40,})\b/g },
  { what: 'an Airtable token', form: /\bpat[A-Za-z0-9]{14}\.[0-9a-f]{64}\b/g },
  { what: 'a Hugging Face token', form: /\bhf_[A-Za-z0-9]{30,}\b/g },
  { what: 'a Replicate token', form: /\br8_[A-Za-z0-9]{35,}\b/g },
  { what: 'an Apify token', form: /\bapify_api_[A-Za-z0-9]{30,}\b/g },
  { what: 'a Groq key', form: /\bgsk_[A-Za-z0-9]{40,}\b/g },
  { what: 'a Perplexity key', form: /\bpplx-[A-Za-z0-9]{40,}\b/g },
  { what: 'a Shopify token', form: /\bshp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}\b/g },
  {
    what: 'an n8n or JSON web token',
    form: /(?<![\w-])eyJ[A-Za-z0-9_-]{10,500}\.eyJ[A-Za-z0-9_-]{10,4000}\.[A-Za-z0-9_-]{16,}/g,
  },
  { what: 'a private key', form: /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----\s*(?:\\n)?[A-Za-z0-9+/=\\n\s]{40,}/g },
];

/** A quick check before the others: every format contains one of these. */
const worthALook =
  /AKIA|ASIA|gh[pousr]_|github_pat_|glpat-|xox[abeoprs]-|hooks\.slack|\/api\/webhooks\/|sk[-_]|rk_|AIza|ya29|SG\.|:AA|SK[0-9a-f]|npm_|secret_|ntn_|pat[A-Za-z0-9]{14}\.|hf_|r8_|apify_api|gsk_|pplx-|shp|eyJ|PRIVATE KEY/;

/** Placeholders that show where a key goes. */
const placeholder =
  /x{4,}|\*{3,}|\.{3}|…|your|example|sample|dummy|placeholder|replace|change[-_ ]?me|insert|redacted|hidden|here\b|todo|<[^>]*>|\[[A-Z_ ]+\]|(.)\1{5,}/i;

/** Stop after this many placeholders. */
const MOST_TRIED = 20;
const LONGEST_KEY = 500;

export interface Secret {
  readonly what: string;
  readonly index: number;
}

/** The first key in a known format. Its value must not appear in a message. */
export function knownSecret(text: string): Secret | undefined {
  if (!worthALook.test(text)) return undefined;
  for (const { what, form } of forms) {
    let left = MOST_TRIED;
    for (const match of text.matchAll(form)) {
      if (!isPlaceholder(match[0].slice(0, LONGEST_KEY))) return { what, index: match.index };
      if (--left === 0) break;
    }
  }
  return undefined;
}

/** Everything in a known format, placeholders included, in no particular order. */
export function* knownForms(text: string): Generator<Secret & { readonly length: number }> {
  if (!worthALook.test(text)) return;
  for (const { what, form } of forms) {
    for (const { 0: found, index } of text.matchAll(form)) yield { what, index, length: found.length };
  }
}

export function isPlaceholder(value: string): boolean {
  return placeholder.test(value);
}

/** For fields that can only hold a password: accepts short ones and any character. */
export function looksChosen(value: string): boolean {
  if (value.length < 8 || value.length > 128 || /\s|\{\{|^[=$<[]/.test(value) || isPlaceholder(value)) return false;
  return (
    /[A-Za-z]/.test(value) &&
    /[\d!#%&*+?^~]/.test(value) &&
    !/^(?:pass(?:word|wd)?|pwd|secret|test|admin)\d{0,4}$/i.test(value)
  );
}

/** Long, random letters and digits, unlike names and words. */
export function looksRandom(value: string): boolean {
  if (value.length < 16 || value.length > 512 || !/^[\w.~+/=:-]+$/.test(value)) return false;
  if (!/\d/.test(value) || !/[A-Za-z]/.test(value) || isPlaceholder(value)) return false;
  if (/^https?:/.test(value) || /^[\w.-]+@[\w.-]+$/.test(value)) return false;
  // Words joined by hyphens or dots, and dates.
  if (value.split(/[-_./:=]+/).every((part) => /^(\d{1,8}|[A-Za-z]+\d{0,2})$/.test(part))) return false;
  return entropy(value) >= 3.3;
}

/** Bits per character. */
function entropy(value: string): number {
  const counts = new Map<string, number>();
  for (const letter of value) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length);
  return bits;
}
