import type { Provisioning } from '../owner/provision.ts';

/** How the owner and the key of a local n8n are made. */
export const localOwner: Provisioning = {
  label: 'Sluice',
  wrongPassword:
    "The password of this n8n's owner is not the one that Sluice keeps. Write the owner's email and password into the record that `sluice n8n status` names, then run `sluice n8n up` again.",
  secondFactor:
    'The owner of this n8n signs in with a second factor, which Sluice does not have. Switch it off in n8n, then run `sluice n8n up` again.',
  lookAt: '`sluice n8n logs` may say why.',
};
