import type { ShownKey } from './answers.ts';

const MOST_TOOLS = 6;

/** What limits a key besides its scopes, in a few words each. */
export function limitsInWords({ tools, readOnly, confirm, rate }: Partial<ShownKey>): string[] {
  const more = (tools?.length ?? 0) - MOST_TOOLS;
  return [
    ...(tools ? [`only ${tools.slice(0, MOST_TOOLS).join(', ')}${more > 0 ? ` and ${more} more` : ''}`] : []),
    ...(readOnly ? ['only tools that change nothing'] : []),
    ...(confirm === 'writes' ? ['confirms everything that writes'] : []),
    ...(confirm === 'never' ? ['confirms nothing'] : []),
    ...(confirm === 'destructive' ? ['confirms what is destructive'] : []),
    ...(rate === undefined ? [] : [`at most ${rate}`]),
  ];
}
