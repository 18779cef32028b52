import type { z } from 'zod';
import { isPrincipalName, principalNames, templatesIn } from '../backends/principal-template.ts';
import type { Transport } from '../transport.ts';

/** `${principal.…}` needs a private connection: on a shared one it would be another caller's value. */
export function checkTemplates(transport: Transport, isolation: string, context: z.RefinementCtx): void {
  // A problem with the transport itself is already reported.
  if (!transport?.kind) return;
  const refuse = (path: string[], message: string, fix: string) =>
    context.addIssue({ code: 'custom', path, message, params: { fix } });
  if (transport.kind !== 'stdio') {
    for (const [index, url] of (transport.urls ?? [transport.url]).entries())
      if (decoded(url).includes('${principal.'))
        refuse(
          transport.urls ? ['urls', String(index)] : ['url'],
          'cannot refer to the caller',
          'Put ${principal.…} into a header, a variable or an argument.',
        );
  }
  for (const [path, text] of templatesIn(transport)) {
    const names = principalNames(text);
    const unknown = names.find((name) => !isPrincipalName(name));
    if (unknown !== undefined)
      refuse(
        path,
        `refers to principal.${unknown}, which does not exist`,
        `Write principal.id, principal.name or principal.attributes.${unknown.replace(/^attributes\.?/, '') || 'email'}.`,
      );
    else if (names.length > 0 && isolation === 'shared')
      refuse(
        path,
        `refers to principal.${names[0]}, but one connection serves everybody`,
        'Add isolation: principal, so that everybody has their own connection.',
      );
  }
}

function decoded(url: string): string {
  return url.replace(/%7B/gi, '{').replace(/%7D/gi, '}');
}
