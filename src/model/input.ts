import type { z } from 'zod'
import { type Refusal, refuse } from './errors.ts'
import { count, formatNumber } from './numbers.ts'

/** What to do in place of sending a member that an operation does not take, by its name. */
export type Hints = Readonly<Record<string, string>>

/**
 * Validates and converts the input of an operation.
 *
 * @throws Refusal `unknown_parameter` or `invalid_parameter` for the first error, with the path of
 *   the member as `param`; an unknown name comes before what is missing, since it often is what was
 *   meant
 */
export function parseInput<I extends z.ZodObject>(
  schema: I,
  input: unknown,
  hints: Hints = {},
): z.output<I> {
  const result = schema.safeParse(input, { error: schemaMessage })
  if (result.success) return result.data
  const { issues } = result.error
  const unknown = issues.find((issue) => issue.code === 'unrecognized_keys')
  if (unknown !== undefined) throw unknownMembers(unknown, schema, hints)
  const [{ path, message }] = issues as [z.core.$ZodIssue]
  const param = path.length === 0 ? 'body' : printable(path.map(String).join('.'))
  throw refuse.invalidParameter(param, `${param}: ${sentence(message)}`)
}

/** Names all of them, and for each what to do: those of one cure together. */
function unknownMembers(
  { path, keys }: z.core.$ZodIssueUnrecognizedKeys,
  schema: z.core.$ZodType,
  hints: Hints,
): Refusal {
  const members = membersAt(schema, path)
  const isNested = path.length > 0
  const pathOf = (key: string) => printable([...path.map(String), key].join('.'))
  // Not by Map.groupBy, which Node.js 20 lacks: the command line checks tools by this.
  const cures = new Map<string, string[]>()
  for (const key of keys.slice(0, MAX_NAMED)) {
    const cure = cureOf(key, { members, isNested, hints })
    cures.set(cure, [...(cures.get(cure) ?? []), pathOf(key)])
  }
  const sentences = [...cures].map(
    ([cure, names]) => `There is no parameter ${names.join(', ')}: ${cure}`,
  )
  const [cure] = cures.keys()
  const meant = closestParameter(keys[0]!, members)
  return refuse.invalid('unknown_parameter', sentences.join(' '), {
    param: pathOf(keys[0]!),
    ...(meant !== null && cure!.includes(meant) && { did_you_mean: meant }),
  })
}
const MAX_NAMED = 30
const MAX_LISTED = 6

function cureOf(
  key: string,
  { members, isNested, hints }: { members: readonly string[]; isNested: boolean; hints: Hints },
): string {
  if (!isNested && Object.hasOwn(hints, key)) return hints[key]!
  const meant = closestParameter(key, members)
  if (meant !== null) return `did you mean ${meant}?`
  if (members.length === 0 || members.length > MAX_LISTED) return 'check its spelling.'
  return `the parameters here are ${members.join(', ')}.`
}

/** The names of the members of the object at a path of the schema. */
function membersAt(schema: z.core.$ZodType | undefined, path: readonly PropertyKey[]): string[] {
  const definition = schema?._zod.def as Definition | undefined
  // Of a schema that transforms, what it takes.
  const inner = definition?.innerType ?? definition?.in
  if (inner !== undefined) return membersAt(inner, path)
  const [next, ...rest] = path
  if (next === undefined) return Object.keys(definition?.shape ?? {})
  const member = typeof next === 'number' ? definition?.element : definition?.shape?.[String(next)]
  return membersAt(member, rest)
}
/** The parts of a zod definition that contain other schemas. */
interface Definition {
  innerType?: z.core.$ZodType
  in?: z.core.$ZodType
  element?: z.core.$ZodType
  shape?: Record<string, z.core.$ZodType>
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`
}

/** Makes a name from a request safe for a message: one line of limited length. */
function printable(name: string): string {
  const line = name.toWellFormed().replaceAll(/\p{Cc}|\p{Zl}|\p{Zp}/gu, '\ufffd')
  return line.length <= 100 ? line : `${line.slice(0, 100).toWellFormed()}…`
}

/** Names that people write for a parameter which is called otherwise, in any operation. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  body: ['html', 'message'],
  ...listedBy('html', 'html_content markup source code'),
  ...listedBy('replace', 'replacement replace_with with new new_text new_string new_str'),
  ...listedBy('find', 'search search_text pattern target old old_text old_string old_str'),
  ...listedBy('body', 'comment reply answer'),
  ...listedBy('page_id', 'id page slug page_slug page_url'),
  ...listedBy('expires_at', 'expires expiry expiration expires_in expire_at valid_until ttl'),
  ...listedBy('wait_s', 'wait wait_seconds timeout timeout_s seconds'),
  ...listedBy('access', 'visibility privacy access_level'),
  ...listedBy('publish', 'published is_published live'),
  ...listedBy('accent', 'color colour'),
  ...listedBy('allowed_domains', 'domains'),
  ...listedBy('version_no', 'version version_number'),
  ...listedBy('reply_comments', 'replies'),
  content: ['html', 'body', 'replace'],
  text: ['html', 'body', 'replace', 'message'],
  data: ['html', 'data_base64'],
  url: ['html_url', 'file_url', 'page_id'],
  file: ['file_base64', 'upload', 'path'],
  path: ['file'],
  filename: ['path', 'file'],
  name: ['title', 'filename', 'label', 'path'],
  emails: ['people', 'allowed_emails', 'approver_emails'],
  recipients: ['people', 'emails', 'allowed_emails'],
  to: ['people', 'emails'],
  invitees: ['allowed_emails', 'people'],
  people: ['allowed_emails', 'emails'],
  approvers: ['approver_emails', 'emails', 'people'],
  view_limit: ['max_views'],
  comments: ['allow_comments', 'reply_comments'],
  question: ['poll_question'],
  options: ['poll_options'],
  choices: ['options', 'poll_options'],
  deadline: ['due_at', 'poll_closes_at', 'responses_closed_at'],
  due: ['due_at'],
  closes_at: ['poll_closes_at', 'responses_closed_at'],
  note: ['message'],
}

function listedBy(meant: string, names: string): Record<string, readonly string[]> {
  return Object.fromEntries(names.split(' ').map((name) => [name, [meant]]))
}

/** The known parameter that an unknown one most likely means; null where none is near. */
export function closestParameter(unknown: string, names: readonly string[]): string | null {
  const name = unknown
    .slice(0, 64)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
  const others = Object.hasOwn(OTHER_NAMES, name) ? OTHER_NAMES[name]! : []
  const other = others.find((each) => names.includes(each))
  return other ?? closestName(name, names, name.length <= 4 ? 1 : 2)
}

/** What is wrong with a value, in the words of the API: a sentence after the member's name. */
function schemaMessage(issue: z.core.$ZodRawIssue): string {
  if (issue.input === undefined) return 'is missing'
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${typeName(issue)}`
    case 'invalid_value':
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.join(', ')}`
    case 'too_big':
      return `must ${boundOf('at most', issue.maximum, issue)}`
    case 'too_small':
      return `must ${boundOf('at least', issue.minimum, issue)}`
    default:
      return 'has a form that is not taken'
  }
}

const TYPES: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'an object',
}

function typeName({ expected, inst }: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidType>): string {
  const { format } = (inst?._zod.def ?? {}) as { format?: string }
  return TYPES[format === 'safeint' ? 'int' : expected] ?? 'of another type'
}

/** `be at least 1`, `have at most 200 characters`. */
function boundOf(
  relation: string,
  bound: number | bigint,
  { origin, exact = false }: { origin: string; exact?: boolean | undefined },
): string {
  const [limit, how] = [Number(bound), exact ? 'exactly' : relation]
  if (origin === 'string') return `have ${how} ${count(limit, 'character')}`
  if (origin === 'array') return `have ${how} ${count(limit, 'item')}`
  return `be ${how} ${formatNumber(limit)}`
}

/**
 * The known name that a mistyped one probably means; null where none is close. A swap of two
 * neighbours counts as one mistake; case and separators count as none.
 *
 * @param maxMistakes by default one for every three characters
 */
export function closestName(
  text: string,
  names: Iterable<string>,
  maxMistakes = Math.max(1, Math.floor(Math.min(text.length, MAX_CHARS) / 3)),
): string | null {
  const target = normalize(text.slice(0, MAX_CHARS))
  let closest: string | null = null
  let fewest = maxMistakes + 1
  for (const name of names) {
    const mistakes = distance(target, normalize(name))
    if (mistakes >= fewest) continue
    fewest = mistakes
    closest = name
  }
  return closest
}

/** Names are short; a longer one is compared by its start. */
const MAX_CHARS = 60

/** `maxViews`, `max-views` and `max_views` are one name. */
function normalize(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '')
}

/** The optimal string alignment distance. */
function distance(a: string, b: string): number {
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1]
      row[j] = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (isSame ? 0 : 1))
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (isSwap) row[j] = Math.min(row[j]!, before[j - 2]! + 1)
    }
    before = last
    last = row
  }
  return last[b.length]!
}
