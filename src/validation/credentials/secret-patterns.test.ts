import { describe, expect, it } from 'vitest';
import { knownSecret, looksChosen, looksRandom } from './secret-patterns.ts';

/** Made up, and assembled at run time so that secret scanners do not flag this file. */
const random = 'q7Zk2Vd9Lr4Tx8Wm3Yb6Nc1Hf5Js0Pg7Ra2Ue9Qi4Do8Xz';

describe('a key in a known format', () => {
  it.each([
    ['AWS', 'AKIA'.concat('Q7ZK2VD4LR4TX2WM')],
    ['GitHub', `ghp_${random.slice(0, 36)}`],
    ['Slack', `xoxb-1${random.slice(0, 24)}`],
    ['Anthropic', `sk-ant-${random}`],
    ['OpenAI', `sk-${random}`],
    ['Google', `AIza${random.slice(0, 35)}`],
    ['Stripe', `sk_live_${random.slice(0, 24)}`],
    ['SendGrid', `SG.${random.slice(0, 22)}.${random.slice(0, 43)}`],
    ['Telegram', `112233445:AA${random.slice(0, 33)}`],
    ['web token', `eyJ${random.slice(0, 20)}.eyJ${random.slice(0, 30)}.${random.slice(0, 43)}`],
  ])('of %s', (what, key) => {
    expect(knownSecret(`before ${key} after`)?.what).toContain(what);
  });

  it.each([
    'sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
    'sk-your-openai-key-goes-in-this-place-1234',
    'sk-...',
    'AKIAIOSFODNN7EXAMPLE',
    'risk-assessment-of-the-whole-company-and-more',
    'a:AAA',
    'https://example.sk/sk-how-to-write-a-page-about-nothing-at-all',
  ])('is not found in %s', (text) => {
    expect(knownSecret(text)).toBeUndefined();
  });
});

describe('a password', () => {
  it.each([random, '8be00a2b58c01c0d8ca3a7c0e9855396', '83bd75d6-5fd4-4ea9-8554-5e2b1ba90893'])(
    'looks random: %s',
    (text) => {
      expect(looksRandom(text)).toBe(true);
    },
  );

  it.each([
    'application/json-2024',
    'my-service-account-1',
    'https://example.com/a1b2c3d4',
    'someone1@example.com',
    'YOUR_API_KEY_12345678',
    'short1',
    'claude-3-5-sonnet-20241022',
    '{{ $json.token1234567 }}',
  ])('does not look like %s', (text) => {
    expect(looksRandom(text)).toBe(false);
  });
});

describe('text in a password field', () => {
  it.each(['Hx7!kd92-LLq', 'SuperSecret123!', 'tr0ub4dor'])('is a password: %s', (text) => {
    expect(looksChosen(text)).toBe(true);
  });

  it.each([
    'password123',
    'your-password1',
    '{{ $json.password }}',
    '$credentials1',
    'process.env',
    'a b c 1 2 3',
    'short1',
  ])('is not a password: %s', (text) => {
    expect(looksChosen(text)).toBe(false);
  });
});
