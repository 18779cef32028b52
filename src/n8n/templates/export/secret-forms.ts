import { knownForms } from '../../../validation/credentials/secret-patterns.ts';
import type { Span } from './spans.ts';
import { isStandIn } from './secret-words.ts';

/**
 * Formats that the validator does not report, because they may be something else. Each begins with something fixed, so
 * that a long text costs no more than its length.
 */
const forms: readonly { readonly form: RegExp; readonly put: string }[] = [
  { form: /\bsk-[0-9a-f]{32,64}\b/g, put: 'YOUR_KEY' },
  { form: /\bkey-[0-9a-f]{32}\b/g, put: 'YOUR_MAILGUN_KEY' },
  { form: /\bxapp-\d-[A-Za-z0-9-]{20,200}/g, put: 'YOUR_SLACK_TOKEN' },
  { form: /\bwhsec_[A-Za-z0-9+/=]{20,100}/g, put: 'YOUR_STRIPE_SECRET' },
  { form: /\bEAA[A-Za-z0-9]{60,400}/g, put: 'YOUR_META_TOKEN' },
  { form: /\bATATT3[A-Za-z0-9_=-]{40,300}/g, put: 'YOUR_ATLASSIAN_TOKEN' },
  {
    form: /\b(?:lin_api|sb_secret|sbp|dop_v1|figd|glsa|pcsk|rnd|jina|fal|phx|sntrys|hvs|shippo_live|sq0csp|tvly|fc|xai|nvapi|pplx|dapi)[-_.][A-Za-z0-9_-]{20,250}/g,
    put: 'YOUR_KEY',
  },
  // A JSON web token without a signature still tells what is in it.
  { form: /\beyJ[A-Za-z0-9_-]{10,500}\.eyJ[A-Za-z0-9_-]{10,}(?:\.[A-Za-z0-9_-]*)?/g, put: 'YOUR_TOKEN' },
];

/** Addresses that anybody may call who knows them. The last group is what nobody can guess. */
const callable: readonly RegExp[] = [
  /\bhooks\.zapier\.com\/hooks\/[a-z]{1,20}\/([\w/-]{6,100})/gi,
  /\bhook\.[a-z0-9.-]{0,20}\bmake\.com\/([\w-]{20,100})/gi,
  /\bmaker\.ifttt\.com\/trigger\/[\w{}$. -]{1,100}\/(?:json\/)?with\/key\/([\w-]{10,100})/gi,
  /\bwebhook\.office\.com\/webhookb2\/([\w@/-]{36,400})/gi,
  /\bopen\.(?:feishu\.cn|larksuite\.com)\/open-apis\/bot\/v2\/hook\/([\w-]{20,100})/gi,
  // Of any n8n.
  /\/(?:webhook|form|mcp)(?:-test|-waiting)?\/([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})/gi,
];

/** Everything in a known format: keys, private keys, and addresses that work without a key. */
export function* formSpans(text: string): Generator<Span> {
  for (const { what, index, length } of knownForms(text)) {
    const found = text.slice(index, index + Math.min(length, 500));
    if (!isStandIn(found)) yield { start: index, end: index + length, put: knownStandIn(what, found) };
  }
  for (const { form, put } of forms) {
    for (const { 0: found, index } of text.matchAll(form)) {
      if (/\d/.test(found) && !isStandIn(found)) yield { start: index, end: index + found.length, put };
    }
  }
  for (const form of callable) {
    for (const match of text.matchAll(form)) {
      const end = match.index + match[0].length;
      yield { start: end - (match[1] as string).length, end, put: 'YOUR_WEBHOOK_ID' };
    }
  }
  yield* privateKeys(text);
}

const LONGEST_PRIVATE_KEY = 20_000;

/** From the first line to the last, headers included: `Proc-Type: 4,ENCRYPTED`. */
function* privateKeys(text: string): Generator<Span> {
  const begin = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
  for (let match = begin.exec(text); match; match = begin.exec(text)) {
    const start = match.index + match[0].length;
    const rest = text.slice(start, start + LONGEST_PRIVATE_KEY);
    const last = rest.indexOf('-----END');
    const end = start + (last < 0 ? (/^[\w+/=\\\s:,-]*/.exec(rest) as RegExpExecArray)[0].length : last);
    if (/[A-Za-z0-9+/=]{20}/.test(text.slice(start, end))) yield { start: match.index, end, put: 'YOUR_PRIVATE_KEY' };
    begin.lastIndex = end;
  }
}

/** `a GitHub token` becomes `YOUR_GITHUB_TOKEN`. Of a webhook's URL the host stays, so that it is still a URL. */
function knownStandIn(what: string, found: string): string {
  const word = /web token/.test(what) ? 'TOKEN' : what.replace(/^an? /, '').replaceAll(/\W+/g, '_').toUpperCase();
  return `${what.endsWith('URL') ? found.slice(0, found.indexOf('/') + 1) : ''}YOUR_${word}`;
}
