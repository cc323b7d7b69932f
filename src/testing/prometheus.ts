/** Reads the text format of Prometheus (0.0.4), and refuses what its own parser or promtool would. */

export interface ParsedFamily {
  type: string
  help: string
  samples: ParsedSample[]
}

export interface ParsedSample {
  name: string
  labels: Record<string, string>
  value: number
}

const HELP = /^# HELP ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)$/
const TYPE = /^# TYPE ([a-zA-Z_:][a-zA-Z0-9_:]*) (counter|gauge|histogram)$/
const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(,|$)/y
const NUMBER = /^(?:[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?|[+-]Inf|NaN)$/i

/** @throws Error that names the first line that is wrong */
export function parseMetrics(text: string): Map<string, ParsedFamily> {
  if (!text.endsWith('\n')) throw new Error('The text does not end with a line feed')
  const families = new Map<string, ParsedFamily>()
  const seen = new Set<string>()
  let current: [name: string, family: ParsedFamily] | null = null
  let help: [name: string, text: string] | null = null
  for (const line of text.slice(0, -1).split('\n')) {
    const [, helped, about = ''] = HELP.exec(line) ?? []
    const [, typed, type = ''] = TYPE.exec(line) ?? []
    if (helped !== undefined) {
      help = [helped, about]
    } else if (typed !== undefined) {
      if (help?.[0] !== typed || families.has(typed)) throw new Error(`Wrong place: ${line}`)
      current = [typed, { type, help: help[1], samples: [] }]
      families.set(...current)
    } else {
      const sample = parseSample(line)
      const key = JSON.stringify([sample.name, Object.entries(sample.labels).sort()])
      if (seen.has(key)) throw new Error(`Twice: ${line}`)
      seen.add(key)
      if (current === null || !belongs(sample.name, ...current)) throw new Error(`Apart: ${line}`)
      current[1].samples.push(sample)
    }
  }
  for (const [name, family] of families) check(name, family)
  return families
}

function parseSample(line: string): ParsedSample {
  const [, name, inside = '', number = ''] = SAMPLE.exec(line) ?? []
  if (name === undefined || !NUMBER.test(number)) throw new Error(`No sample: ${line}`)
  const labels: Record<string, string> = {}
  LABEL.lastIndex = 0
  while (LABEL.lastIndex < inside.length) {
    const [, label, text = ''] = LABEL.exec(inside) ?? []
    if (label === undefined || label in labels) throw new Error(`Wrong labels: ${line}`)
    labels[label] = text
  }
  return { name, labels, value: Number(number.replace('Inf', 'Infinity')) }
}

function belongs(sample: string, name: string, { type }: ParsedFamily): boolean {
  const suffixes = type === 'histogram' ? ['_bucket', '_sum', '_count'] : ['']
  return suffixes.some((suffix) => sample === name + suffix)
}

/** What promtool's linter says of names and values. */
function check(name: string, { type, samples }: ParsedFamily): void {
  if (samples.length === 0) throw new Error(`${name} has no sample`)
  if ((type === 'counter') !== name.endsWith('_total')) throw new Error(`${name} is a ${type}`)
  if (/_(ms|milliseconds|minutes|kb|mb|kilobytes)(_|$)/.test(name)) throw new Error(`Unit: ${name}`)
  if (type !== 'gauge' && samples.some(({ value }) => !(value >= 0))) throw new Error(name)
  if (type === 'histogram') checkHistogram(name, samples)
}

function checkHistogram(name: string, samples: ParsedSample[]): void {
  const series = Map.groupBy(samples, ({ labels: { le: _, ...labels } }) => JSON.stringify(labels))
  for (const [labels, one] of series) {
    const buckets = one.filter((sample) => sample.name === `${name}_bucket`)
    const bounds = buckets.map(({ labels: { le } }) => Number(le?.replace('Inf', 'Infinity')))
    const counts = buckets.map(({ value }) => value)
    const count = one.find((sample) => sample.name === `${name}_count`)?.value
    const rises = (values: number[]) =>
      values.every((value, i) => i === 0 || value >= values[i - 1]!)
    const isWhole = one.some((sample) => sample.name === `${name}_sum`)
    if (!rises(bounds) || !rises(counts) || bounds.at(-1) !== Infinity) throw new Error(labels)
    if (!isWhole || counts.at(-1) !== count) throw new Error(labels)
  }
}
