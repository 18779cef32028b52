import type { Property } from '../../nodes/description.ts';
import { isRecord } from '../json/record.ts';
import type { NodeView } from '../subject/subject.ts';

/** `YOUR_SHEET_ID`, `<your url>`, `[PUT IT HERE]`, `{FOLDER_ID}`, `xxxx`: written to be replaced. */
const PLACEHOLDER =
  /(?<![a-z])your[ _-]?|\byou?r_|<[^<>]{2,}>|\[[^[\]]{3,}\]|\{[A-Z][A-Z0-9_ ]{2,}\}|placeholder|replace[ _-]|\b(insert|enter|put)[ _-]|redacted|^x{3,}$/i;

/** The author has left it for whoever takes the workflow over. */
export function isPlaceholder(text: string): boolean {
  return text.length < 500 && PLACEHOLDER.test(text.replaceAll(/\{\{[^{}]*\}\}/g, ''));
}

const choosers = new Set(['resourceLocator', 'workflowSelector', 'agentSelector']);

/** A chooser in which nothing has been chosen, as n8n writes it when a workflow is handed on, or as a bare text. */
export function isUnchosen({ type }: Pick<Property, 'type'>, value: unknown): boolean {
  if (!choosers.has(type)) return false;
  return isRecord(value) ? value['__rl'] === true && value['value'] === '' : value === '';
}

/** What was chosen has been taken out: its name or address is still there. */
export function wasChosen(value: Readonly<Record<string, unknown>>): boolean {
  return value['__rl'] === true && ['cachedResultName', 'cachedResultUrl'].some((name) => Object.hasOwn(value, name));
}

/** Only the account knows what there is to choose from, and what was chosen elsewhere is not in this one. */
export function isOfferedList({ type, typeOptions }: Property): boolean {
  return (type === 'options' || type === 'multiOptions') && typeOptions?.loadOptionsMethod !== undefined;
}

/** Whom it goes to and where it lies in an account of one's own: never what is said or asked there, nor a URL to call. */
const OWN_ADDRESS =
  /^(sendTo|to|from|(to|from)Email|toRecipients|chatId|channel(Id)?|(recipientPhone|phone)Number(Id)?|(document|folder|database|project|table)Id|documentURL)$/;

/** What authors empty before they hand a workflow on. The editor does not even write an empty value down. */
export function isOwn({ type, name }: Pick<Property, 'type' | 'name'>): boolean {
  return choosers.has(type) || OWN_ADDRESS.test(name);
}

/** As the editor puts a node there: something may be chosen from its lists, and nothing is filled in. */
export function isUntouched({ parameters, description }: Pick<NodeView, 'parameters' | 'description'>): boolean {
  const lists = new Set(
    description?.properties.filter(({ type }) => type === 'options' || type === 'boolean').map(({ name }) => name),
  );
  return Object.entries(parameters).every(
    ([name, value]) =>
      lists.has(name) || (typeof value === 'object' && value !== null && Object.keys(value).length === 0),
  );
}

/** `URL APIFY`, `Actor_Endpoint_URL`: says which address belongs there. */
export function namesAnAddress(text: string): boolean {
  return (
    text.length < 200 &&
    /(^|[\s_-])URL([\s_-]|$)/.test(text.replace(/^=/, '')) &&
    !/[./:]|not|invalid|bad|wrong/i.test(text)
  );
}

/** `<Replace Telegram ID>`, `<<your id>>` in code, where nothing else could stand. */
const IN_CODE = /<{1,2}(?:replace|your|insert|enter|put|add)\b[^<>\n=&|;]{0,80}>{1,2}/gi;

/** The code as it would be with something in the places that were left open; undefined where there are none. */
export function filledIn(code: string): string | undefined {
  const filled = code.replaceAll(IN_CODE, '0');
  return filled === code ? undefined : filled;
}
