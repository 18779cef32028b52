import { redactNamed } from '../../kernel/redact.ts';

/** Credentials in URLs, and parameters of URLs whose name sounds like a secret. For texts that are not long. */
export const maskedText = (text: string): string =>
  text
    .replace(/(\b[a-z][a-z0-9+.-]{0,20}:\/\/)[^/\s"'@]+@/gi, '$1[redacted]@')
    .replace(/([?&][\w.%-]{0,80}=)[^&\s"']+/g, (whole, name: string) =>
      /token|key|secret|passw|pwd|auth|sig|credential/i.test(name) ? `${name}[redacted]` : whole,
    );

/**
 * The configuration without its secrets. Prometheus itself hides only passwords and tokens that it knows: not the
 * headers of remote_write, nor parameters.
 */
export async function maskedConfig(yaml: string): Promise<string> {
  const { parse, stringify } = await import('yaml');
  return stringify(redactNamed(parse(yaml, { maxAliasCount: 0 }), maskedText), { lineWidth: 0 });
}
