import type { Rule } from '../../rule.ts';
import { credentialWithoutId } from './credential-without-id.ts';
import { hardCodedSecret } from './hard-coded-secret.ts';
import { missingCredential } from './missing-credential.ts';
import { sqlFromExpression } from './sql-from-expression.ts';
import { unknownCredential } from './unknown-credential.ts';
import { wrongCredentialType } from './wrong-credential-type.ts';

/** How nodes sign in, and values that belong in a credential or a query parameter. */
export const credentialRules: readonly Rule[] = [
  missingCredential,
  wrongCredentialType,
  credentialWithoutId,
  unknownCredential,
  hardCodedSecret,
  sqlFromExpression,
];
