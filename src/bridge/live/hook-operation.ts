const header = (name: string, description: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
});

/** OpenAPI description of POST /api/v1/bridge/hook/{instance}. */
export const hookOperation = {
  operationId: 'bridgeHook',
  summary: "Reports a change in n8n to the bridge. Sent by n8n's hook file",
  tags: ['bridge'],
  parameters: [
    header('X-Sluice-Timestamp', 'Unix time in seconds, at most five minutes off'),
    header('X-Sluice-Signature', 'sha256= and the HMAC-SHA256 of timestamp, dot and body, in hexadecimal'),
  ],
  requestBody: {
    required: true,
    content: {
      'application/json': {
        schema: {
          type: 'object',
          required: ['event'],
          properties: {
            event: { type: 'string', examples: ['workflow.afterUpdate'] },
            workflow: { type: 'string', description: 'Id of the changed workflow. Without it, everything is scanned' },
          },
        },
      },
    },
  },
  responses: {
    202: { description: 'Accepted. The change is read from n8n' },
    401: { description: 'The signature is wrong, too old, or was used before' },
  },
} as const;
