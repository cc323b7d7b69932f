import { formatNumber } from '../../../../src/model/numbers.ts'
import type { Field, ResponseRecord, Summary, Values } from './report.ts'

export const TYPE_WORDS: Record<Field['type'], string> = {
  boolean: 'Yes or no',
  number: 'Number',
  choice: 'Choice',
  multi: 'Choices',
  text: 'Text',
  rows: 'List',
}

export function fieldName({ label, key }: Field): string {
  return label ?? key
}

/** A member of an object whose keys viewers chose: `constructor` is none unless it was sent. */
export function memberOf(values: Values, key: string): Values | undefined {
  if (typeof values !== 'object' || values === null || Array.isArray(values)) return undefined
  return Object.hasOwn(values, key) ? values[key] : undefined
}

/** A value as text; empty where there is none. */
export function valueText(value: Values | undefined): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value === 'string') return value
  if (typeof value === 'number') return formatValue(value)
  if (Array.isArray(value)) return value.map(itemText).join(', ')
  return JSON.stringify(value)
}

function itemText(value: Values): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : valueText(value)
}

/** Up to two decimals; whole numbers as they are, since they may be names of things. */
export function formatValue(value: number): string {
  return Number.isInteger(value) ? String(value) : String(Number(value.toFixed(2)))
}

export function senderOf({ name, respondent }: Pick<ResponseRecord, 'name' | 'respondent'>) {
  return name ?? respondent
}

/** A value of a field, chosen in its summary: text as it is, anything else as JSON. */
export interface Choice {
  key: string
  value: string
}

export function choiceText({ value }: Choice, type: Field['type'] | undefined): string {
  if (type !== 'boolean') return value
  return value === 'true' ? 'Yes' : value === 'false' ? 'No' : value
}

/** The chosen values as the operation takes them: each field with all that were chosen of it. */
export function whereOf(choices: readonly Choice[]): string {
  const byKey = new Map<string, string[]>()
  for (const { key, value } of choices) byKey.set(key, [...(byKey.get(key) ?? []), value])
  return JSON.stringify(Object.fromEntries(byKey))
}

interface Bar {
  value: string
  text: string
  count: number
  share: number
}

/** The bars of a summary: most common first. */
export function barsOf({ type, answered, yes = 0, no = 0, counts = [] }: Summary): Bar[] {
  const rows =
    type === 'boolean'
      ? [
          { value: 'true', text: 'Yes', count: yes },
          { value: 'false', text: 'No', count: no },
        ]
      : counts.map(({ value, count }) => {
          const plain = typeof value === 'string' ? value : JSON.stringify(value)
          return { value: plain, text: valueText(value), count }
        })
  return rows.map((row) => ({ ...row, share: answered === 0 ? 0 : row.count / answered }))
}

export function shareOf(used: number, most: number): string {
  return `${formatNumber(used)} of ${formatNumber(most)}`
}
