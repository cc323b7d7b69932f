import type { JsonText } from '../../../model/json-text.ts'
import type { Summary } from '../contract.ts'

const MAX_NAME = 80
const MAX_VALUE = 40
const MAX_TOLD = 10

/** One plain line, however long its values are: `Rating: mean 4.2, from 1 to 5, 12 answers`. */
export function summaryText(summary: Summary): string {
  return `${plain(summary.label ?? summary.key, MAX_NAME)}: ${tell(summary)}`
}

function tell(summary: Summary): string {
  const { type, answered, yes = 0, no = 0, mean, counts = [], items = 0 } = summary
  if (answered === 0) return 'no answers'
  const answers = many(answered, 'answer')
  if (type === 'boolean') return `yes ${yes}, no ${no}`
  if (type === 'rows') return `${many(items, 'item')} in ${answers}`
  if (type === 'number' && mean != null) {
    const range = `from ${shown(summary.min)} to ${shown(summary.max)}`
    return `mean ${rounded(mean)}, ${range}, ${answers}`
  }
  const told = counts.slice(0, MAX_TOLD).map(({ value, count }) => `${shown(value)} ${count}`)
  if (counts.length > MAX_TOLD) told.push(`and ${counts.length - MAX_TOLD} more`)
  return told.length > 0 ? told.join(', ') : answers
}

/** To two decimals; of what is nearer to nothing, two digits. */
function rounded(mean: number): string {
  return String(Number(Math.abs(mean) < 1 ? mean.toPrecision(2) : mean.toFixed(2)))
}

function shown(value: JsonText | undefined): string {
  const text = value?.text ?? ''
  return plain(text.startsWith('"') ? JSON.parse(text) : text, MAX_VALUE)
}

/** On one line, and cut where it is long. Never empty: a name may be. */
function plain(text: string, max: number): string {
  const line = text
    .slice(0, 4 * max)
    .toWellFormed()
    .replace(/[\s\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ')
    .trim()
  const characters = [...line]
  if (characters.length > max) return `${characters.slice(0, max - 1).join('')}…`
  return line || '(empty)'
}

function many(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
