/** Method names of all values in expressions and code. */

/** Methods of Luxon's dates, durations, intervals and zones. */
const luxon = `abutsEnd abutsStart after as before buildFormatParser contains count create diff diffNow difference
  divideEqually endOf engulfs equals eras expandFormat features formatOffset fromDateTimes fromDurationLike fromFormat
  fromFormatExplain fromFormatParser fromHTTP fromISO fromISOTime fromJSDate fromMillis fromObject fromRFC2822 fromSQL
  fromSeconds fromString fromStringExplain get getMinimumDaysInFirstWeek getPossibleOffsets getStartOfWeek
  getWeekendWeekdays hasDST hasSame instance intersection invalid isAfter isBefore isDateTime isDuration isEmpty
  isInterval isValidIANAZone isValidSpecifier isValidZone length local mapEndpoints mapUnits max merge meridiems min
  minus months monthsFormat negate normalize normalizeUnit normalizeZone now offset offsetName overlaps
  parseFormatForOpts parseSpecifier plus reconfigure removeZeros rescale resetCache resetCaches resolvedLocaleOptions set setLocale
  setZone shiftTo shiftToAll splitAt splitBy startOf toBSON toDuration toFormat toHTTP toHuman toISO toISODate toISOTime
  toISOWeekDate toJSDate toJSON toLocal toLocaleParts toLocaleString toMillis toObject toRFC2822 toRelative
  toRelativeCalendar toSQL toSQLDate toSQLTime toSeconds toString toUTC toUnixInteger union until utc valueOf weekdays
  weekdaysFormat xor`;

/** Methods of a Luxon date: $now, $today, DateTime.now(). */
const ofDates = `diff diffNow endOf equals get getPossibleOffsets hasSame minus plus reconfigure resolvedLocaleOptions set
  setLocale setZone startOf toBSON toFormat toHTTP toISO toISODate toISOTime toISOWeekDate toJSDate toJSON toLocal
  toLocaleParts toLocaleString toMillis toObject toRFC2822 toRelative toRelativeCalendar toSQL toSQLDate toSQLTime
  toSeconds toString toUTC toUnixInteger until valueOf`;

/** Methods of n8n's own objects: $input, $('…'), $execution.customData, the helpers of code. */
const ofN8n = `first last all itemMatching pairedItem getValue get set getAll setAll reset httpRequest
  httpRequestWithAuthentication requestWithAuthenticationPaginated request getBinaryDataBuffer prepareBinaryData
  setBinaryDataBuffer binaryToString binaryToBuffer assertBinaryData returnJsonArray normalizeItems
  copyInputItems constructExecutionMetaData getWorkflowStaticData`;

/** Methods that n8n adds to strings, lists, numbers, dates and objects, only in expressions. */
const added = `abs append average base64Decode base64Encode beginningOf ceil chunk compact difference diffTo diffToNow
  endOfMonth extract extractDomain extractEmail extractUrl extractUrlPath first floor format hasField hash intersection
  isBetween isDomain isDst isEmail isEmpty isEven isInLast isInteger isNotEmpty isNumeric isOdd isUrl isWeekend
  keepFieldsContaining keys last length max merge mergeIntoObject min minus parseJson pluck plus quote randomItem
  removeDuplicates removeField removeFieldsContaining removeMarkdown removeTags renameKeys replaceSpecialChars reverse
  round smartJoin sum toBoolean toDate toDateTime toDecimalNumber toFloat toInt toJsonString toNumber toSentenceCase
  toSnakeCase toTitleCase toWholeNumber union unique urlDecode urlEncode values`;

/** Methods of web objects in code. Listed here because referring to these objects loads them, which is slow. */
const ofTheWeb = 'abort append arrayBuffer bytes formData getSetCookie json stream text';

const builtIn: readonly unknown[] = [
  Object,
  Function,
  Boolean,
  Symbol,
  Error,
  Number,
  BigInt,
  Math,
  Date,
  String,
  RegExp,
  Array,
  Map,
  Set,
  WeakMap,
  WeakSet,
  WeakRef,
  Promise,
  Proxy,
  Reflect,
  JSON,
  Intl,
  Iterator,
  ArrayBuffer,
  DataView,
  Uint8Array,
  Float64Array,
  Buffer,
  TextEncoder,
  TextDecoder,
  URL,
  URLSearchParams,
  console,
  ...Object.getOwnPropertyNames(Intl).map((name) => Intl[name as keyof typeof Intl]),
  (function* () {})(),
  (async function* () {})(),
];

const words = (text: string) => text.split(/\s+/);

/** Every method that exists both in code and in expressions. */
export const methods: ReadonlySet<string> = new Set([
  ...builtIn.flatMap(namesOf),
  ...words(luxon),
  ...words(`${ofN8n} ${ofTheWeb}`),
]);

/** Methods that exist only in expressions. */
export const onlyInExpressions: ReadonlySet<string> = new Set(words(added).filter((name) => !methods.has(name)));

/** Methods of a date in code. In expressions n8n adds more. */
export const dateMethods: ReadonlySet<string> = new Set([...words(ofDates), ...namesOf(Object.prototype)]);
export const dateMethodsInExpressions: ReadonlySet<string> = new Set([...dateMethods, ...words(added)]);

/** The names of the object, of its instances, and of everything they inherit. */
function namesOf(thing: unknown): string[] {
  const names: string[] = [];
  const made = typeof thing === 'function' ? (thing.prototype as unknown) : undefined;
  for (const one of [thing, made]) {
    for (let at = one; at !== null && at !== undefined; at = Object.getPrototypeOf(at) as unknown) {
      names.push(...Object.getOwnPropertyNames(at));
    }
  }
  return names;
}
