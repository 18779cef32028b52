import { z } from 'zod';

export const credentialIdInput = z.string().min(1).max(100).describe('Credential id; n8n_list_credentials shows them');

export const typeInput = z
  .string()
  .min(1)
  .max(128)
  .describe('Credential type as n8n spells it, such as httpHeaderAuth');

export const dataInput = z
  .record(z.string(), z.unknown())
  .describe('Values by field; n8n_get_credential_schema shows the fields. No tool shows values');
