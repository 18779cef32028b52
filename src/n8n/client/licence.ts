interface Feature {
  /** What it is, as the subject of a sentence: `Variables need …`. */
  readonly what: string;
  readonly needs: string;
}

const PAID = 'a paid plan: n8n Cloud, or self-hosted Business or Enterprise';
const ENTERPRISE = 'an Enterprise plan';
const BUSINESS = 'a Business or Enterprise plan';

/** What n8n's documentation says about its plans. Features that are not here are only named. */
const features: ReadonlyMap<string, Feature> = new Map([
  ['feat:projectRole:admin', { what: 'Projects need', needs: PAID }],
  [
    'feat:projectRole:editor',
    { what: 'The project role Editor needs', needs: 'n8n Cloud Pro, or self-hosted Enterprise' },
  ],
  ['feat:projectRole:viewer', { what: 'The project role Viewer needs', needs: ENTERPRISE }],
  [
    'feat:variables',
    { what: 'Variables need', needs: 'n8n Cloud Pro or Enterprise, or self-hosted Business or Enterprise' },
  ],
  [
    'feat:folders',
    {
      what: 'Folders need',
      needs: 'a paid plan, or a Community edition that you register for free under Settings > Usage and plan',
    },
  ],
  [
    'feat:sourceControl',
    { what: 'Source control needs', needs: 'n8n Cloud Enterprise, or self-hosted Business or Enterprise' },
  ],
  ['feat:advancedPermissions', { what: 'Changing the role of a user needs', needs: 'a paid plan' }],
  ['feat:customRoles', { what: 'Custom roles need', needs: ENTERPRISE }],
  ['feat:ldap', { what: 'LDAP needs', needs: BUSINESS }],
  ['feat:saml', { what: 'SAML needs', needs: BUSINESS }],
  ['feat:oidc', { what: 'OIDC needs', needs: BUSINESS }],
  ['feat:logStreaming', { what: 'Log streaming needs', needs: ENTERPRISE }],
]);

/** The text for a 403 in which n8n blames its licence. */
export function licenceText(n8n: string, said: string): string {
  const feature = /\bfeat:[\w:]+/.exec(said)?.[0];
  const known = feature === undefined ? undefined : features.get(feature);
  const lacks = `The licence of n8n (${n8n}) does not include`;
  if (known) return `${lacks} ${feature}. ${known.what} ${known.needs}.`;
  if (feature !== undefined) return `${lacks} ${feature}. n8n.io/pricing says which plan has it.`;
  if (/maximum history/.test(said)) return `${lacks} so long a time: ${said}. Ask for the last 7 days.`;
  return `${lacks} this: ${said}`;
}

/** The feature that n8n names, for programs. */
export function featureIn(said: string): { feature?: string } {
  const feature = /\bfeat:[\w:]+/.exec(said)?.[0];
  return feature === undefined ? {} : { feature };
}
