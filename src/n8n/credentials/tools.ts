import type { AnyTool } from '../../kernel/tool.ts';
import type { N8nDeps } from '../tool.ts';
import { createCredential } from './create-credential.ts';
import { deleteCredential } from './delete-credential.ts';
import { getCredentialSchema } from './get-credential-schema.ts';
import { getCredential } from './get-credential.ts';
import { listCredentials } from './list-credentials.ts';
import { testCredential } from './test-credential.ts';
import { updateCredential } from './update-credential.ts';

export const credentialTools: readonly AnyTool<N8nDeps>[] = [
  listCredentials,
  getCredential,
  getCredentialSchema,
  createCredential,
  updateCredential,
  deleteCredential,
  testCredential,
];
