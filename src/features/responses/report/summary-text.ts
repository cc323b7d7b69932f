import type { JsonText } from '../../../model/json-text.ts'
import type { Summary } from '../contract.ts'

const MAX_NAME_LENGTH = 80
const MAX_VALUE_LENGTH = 40
const MAX_VALUES = 10

/** One line of bounded length, such as `Rating: mean 4.2, from 1 to 5, 12 answers`. */
export function summaryText(summary: Summary): string {
  return `${oneLine(summary.label ?? summary.key, MAX_NAME_LENGTH)}: ${factsText(summary)}`
}

function factsText(summary: Summary): string {
  const { type, answered, yes = 0, no = 0, mean, counts = [], items = 0 } = summary
  if (answered === 0) return 'no answers'
  const answers = plural(answered, 'answer')
  if (type === 'boolean') return `yes ${yes}, no ${no}`
  if (type === 'rows') return `${plural(items, 'item')} in ${answers}`
  if (type === 'number' && mean != null) {
    const range = `from ${valueText(summary.min)} to ${valueText(summary.max)}`
    return `mean ${rounded(mean)}, ${range}, ${answers}`
  }
  const parts = counts
    .slice(0, MAX_VALUES)
    .map(({ value, count }) => `${valueText(value)} ${count}`)
  if (counts.length > MAX_VALUES) parts.push(`and ${counts.length - MAX_VALUES} more`)
  return parts.length > 0 ? parts.join(', ') : answers
}

/** Two decimals; two significant digits below 1. */
function rounded(mean: number): string {
  return String(Number(Math.abs(mean) < 1 ? mean.toPrecision(2) : mean.toFixed(2)))
}

function valueText(value: JsonText | undefined): string {
  const text = value?.text ?? ''
  return oneLine(text.startsWith('"') ? JSON.parse(text) : text, MAX_VALUE_LENGTH)
}

/** Joins lines and cuts long text. The result is never empty, although a name may be. */
function oneLine(text: string, maxLength: number): string {
  const line = text
    .slice(0, 4 * maxLength)
    .toWellFormed()
    .replace(/[\s\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ')
    .trim()
  const characters = [...line]
  if (characters.length > maxLength) return `${characters.slice(0, maxLength - 1).join('')}…`
  return line || '(empty)'
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
