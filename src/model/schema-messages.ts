import type { z } from 'zod'
import { count, formatNumber } from './numbers.ts'

/** What is wrong with a value, in the words of the API: a sentence after the member's name. */
export function schemaMessage(issue: z.core.$ZodRawIssue): string {
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
