import { expect, test } from 'bun:test'
import { parseMetrics } from '../testing/prometheus.ts'
import { createMetrics } from './metrics.ts'

test('values are written with their help, type and labels, which cannot break out', async () => {
  const metrics = createMetrics()
  const text = 'a "quoted" \\ text\nof two lines'
  metrics.add('handbill_things', `Help: ${text}`, () => [
    { labels: { text }, value: 1.5 },
    { labels: { text: 'other' }, value: Infinity },
  ])
  metrics.add('handbill_done_total', 'Done.', () => 3)
  const written = await metrics.write()
  const escaped = String.raw`a \"quoted\" \\ text\nof two lines`
  expect(written).toBe(
    [
      String.raw`# HELP handbill_things Help: a "quoted" \\ text\nof two lines`,
      '# TYPE handbill_things gauge',
      `handbill_things{text="${escaped}"} 1.5`,
      'handbill_things{text="other"} +Inf',
      '# HELP handbill_done_total Done.',
      '# TYPE handbill_done_total counter',
      'handbill_done_total 3',
      '',
    ].join('\n'),
  )
  expect(parseMetrics(written).size).toBe(2)
})

test('a value that is not there, fails or hangs is left out, and the others are written', async () => {
  const metrics = createMetrics(200)
  const reads = {
    none: () => null,
    throws: () => {
      throw new Error('no')
    },
    rejects: () => Promise.reject(new Error('no')),
    hangs: () => new Promise<never>(() => {}),
    late: () => Bun.sleep(1).then(() => 7),
  }
  for (const [name, read] of Object.entries(reads)) {
    metrics.add(name, 'Help.', read)
  }
  expect(await metrics.write()).toBe('# HELP late Help.\n# TYPE late gauge\nlate 7\n')
})

test('those who ask at once share one reading, and the next who asks has another', async () => {
  const metrics = createMetrics()
  let reads = 0
  metrics.add('reads', 'Reads.', async () => (reads += 1))
  const [first, second] = await Promise.all([metrics.write(), metrics.write()])
  expect(first).toBe(second)
  expect(first).toContain('\nreads 1\n')
  expect(await metrics.write()).toContain('\nreads 2\n')
})

test('a name is used once, and is one of Prometheus', () => {
  const metrics = createMetrics()
  const add = (name: string) => metrics.add(name, 'Help.', () => 1)
  add('once')
  expect(() => add('once')).toThrow('two metrics once')
  expect(() => add('not-a-name')).toThrow('no name')
})
