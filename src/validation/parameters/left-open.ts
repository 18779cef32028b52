import type { Property } from '../../nodes/description.ts';
import { isRecord } from '../json/record.ts';
import type { NodeView } from '../subject/subject.ts';

/** `YOUR_SHEET_ID`, `<your url>`, `[PUT IT HERE]`, `{FOLDER_ID}`, `xxxx`: written to be replaced. */
const PLACEHOLDER =
  /(?<![a-z])your[ _-]?|\byou?r_|<[^<>]{2,}>|\[[^[\]]{3,}\]|\{[A-Z][A-Z0-9_ ]{2,}\}|placeholder|replace[ _-]|\b(insert|enter|put)[ _-]|redacted|^x{3,}$/i;

/** The author left it for the next user to fill in. */
export function isPlaceholder(text: string): boolean {
  return text.length < 500 && PLACEHOLDER.test(text.replaceAll(/\{\{[^{}]*\}\}/g, ''));
}

const choosers = new Set(['resourceLocator', 'workflowSelector', 'agentSelector']);

/** A resource locator without a choice, as n8n writes it when a workflow is shared, or as an empty string. */
export function isUnchosen({ type }: Pick<Property, 'type'>, value: unknown): boolean {
  if (!choosers.has(type)) return false;
  return isRecord(value) ? value['__rl'] === true && value['value'] === '' : value === '';
}

/** The choice was removed, but its name or URL is still there. */
export function wasChosen(value: Readonly<Record<string, unknown>>): boolean {
  return value['__rl'] === true && ['cachedResultName', 'cachedResultUrl'].some((name) => Object.hasOwn(value, name));
}

/** The options come from the account of the user, so a choice from another account does not apply. */
export function isOfferedList({ type, typeOptions }: Property): boolean {
  return (type === 'options' || type === 'multiOptions') && typeOptions?.loadOptionsMethod !== undefined;
}

/** Recipients, and places in the user's own account. Not messages, queries or URLs to call. */
const OWN_ADDRESS =
  /^(sendTo|to|from|(to|from)Email|toRecipients|chatId|channel(Id)?|(recipientPhone|phone)Number(Id)?|(document|folder|database|project|table)Id|documentURL)$/;

/** Values that authors remove before they share a workflow. The editor does not save empty values. */
export function isOwn({ type, name }: Pick<Property, 'type' | 'name'>): boolean {
  return choosers.has(type) || OWN_ADDRESS.test(name);
}

/** The node is as the editor adds it: options may be chosen, but nothing is filled in. */
export function isUntouched({ parameters, description }: Pick<NodeView, 'parameters' | 'description'>): boolean {
  const lists = new Set(
    description?.properties.filter(({ type }) => type === 'options' || type === 'boolean').map(({ name }) => name),
  );
  return Object.entries(parameters).every(
    ([name, value]) =>
      lists.has(name) || (typeof value === 'object' && value !== null && Object.keys(value).length === 0),
  );
}

/** `URL APIFY`, `Actor_Endpoint_URL`: says which URL belongs there. */
export function namesAnAddress(text: string): boolean {
  return (
    text.length < 200 &&
    /(^|[\s_-])URL([\s_-]|$)/.test(text.replace(/^=/, '')) &&
    !/[./:]|not|invalid|bad|wrong/i.test(text)
  );
}

/** `<Replace Telegram ID>`, `<<your id>>` in code, where they cannot be anything else. */
const IN_CODE = /<{1,2}(?:replace|your|insert|enter|put|add)\b[^<>\n=&|;]{0,80}>{1,2}/gi;

/** The code with its placeholders replaced; undefined if there are none. */
export function filledIn(code: string): string | undefined {
  const filled = code.replaceAll(IN_CODE, '0');
  return filled === code ? undefined : filled;
}
