import type { Catalogue } from '../../nodes/catalogue.ts';
import { hardCodedSecret } from '../../validation/rules/credentials/hard-coded-secret.ts';
import { validateWorkflow } from '../../validation/validate.ts';
import type { Form } from './form.ts';

/** This rule reads only the parameters, so it needs no descriptions of nodes. */
const noNodes = { node: () => undefined, description: () => undefined } as Partial<Catalogue> as Catalogue;

/** The names of the nodes in which somebody typed a secret. It would land in git. */
export function nodesWithSecrets(form: Form): string[] {
  const { findings } = validateWorkflow(form, noNodes, { purpose: 'run' }, [hardCodedSecret]);
  return [...new Set(findings.flatMap(({ node }) => node ?? []))];
}
