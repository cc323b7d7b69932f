import type { z } from 'zod'
import { type Refusal, refuse } from './errors.ts'
import { closestParameter } from './parameter-names.ts'
import { schemaMessage } from './schema-messages.ts'

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
  const parsed = schema.safeParse(input, { error: schemaMessage })
  if (parsed.success) return parsed.data
  const { issues } = parsed.error
  const unknown = issues.find((issue) => issue.code === 'unrecognized_keys')
  if (unknown !== undefined) throw unknownMembers(unknown, schema, hints)
  const [{ path, message }] = issues as [z.core.$ZodIssue]
  const param = path.length === 0 ? 'body' : printable(path.map(String).join('.'))
  throw refuse.invalid('invalid_parameter', `${param}: ${sentence(message)}`, { param })
}

/** Names all of them, and for each what to do: those of one cure together. */
function unknownMembers(
  { path, keys }: z.core.$ZodIssueUnrecognizedKeys,
  schema: z.core.$ZodType,
  hints: Hints,
): Refusal {
  const members = membersAt(schema, path)
  const pathOf = (key: string) => printable([...path.map(String), key].join('.'))
  const cures = new Map<string, string[]>()
  for (const key of keys.slice(0, MAX_NAMED)) {
    const cure = cureOf(key, { members, hints: path.length === 0 ? hints : {} })
    cures.set(cure, [...(cures.get(cure) ?? []), pathOf(key)])
  }
  const sentences = [...cures].map(
    ([cure, names]) => `There is no parameter ${names.join(', ')}: ${cure}`,
  )
  const meant = closestParameter(keys[0]!, members)
  return refuse.invalid('unknown_parameter', sentences.join(' '), {
    param: pathOf(keys[0]!),
    ...(meant !== null && { did_you_mean: meant }),
  })
}
const MAX_NAMED = 30

function cureOf(
  key: string,
  { members, hints }: { members: readonly string[]; hints: Hints },
): string {
  if (Object.hasOwn(hints, key)) return hints[key]!
  const meant = closestParameter(key, members)
  return meant === null ? 'check its spelling.' : `did you mean ${meant}?`
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
