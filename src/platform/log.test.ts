import { expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { BlobsDown } from './blobs/index.ts'
import { DatabaseDown } from './db/errors.ts'
import { createLog, type Fields, type LogFormat, type LogLevel } from './log.ts'

function lines(write: (log: ReturnType<typeof createLog>) => void, options = {}): string[] {
  const written: string[] = []
  const input = { level: 'debug' as LogLevel, format: 'json' as LogFormat, ...options }
  write(createLog(input, (line) => written.push(line)))
  return written
}
function logged(fields: Fields): Fields {
  const [line = ''] = lines((log) => log.info('event', fields))
  return JSON.parse(line)
}

test('a line is one JSON object: time, level and msg first, then the fields', () => {
  const [line = ''] = lines((log) =>
    log.warn('slow\nanswer', { request_id: 'req_1', ms: 1200, time: 'mine' }),
  )
  expect(line.endsWith('}\n')).toBe(true)
  expect(line.trimEnd()).not.toContain('\n')
  const { time, ...rest } = JSON.parse(line)
  expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  expect(rest).toEqual({ level: 'warn', msg: 'slow\nanswer', request_id: 'req_1', ms: 1200 })
  expect(Object.keys(JSON.parse(line)).slice(0, 3)).toEqual(['time', 'level', 'msg'])
})

test('lines below the level are not written', () => {
  const all = (log: ReturnType<typeof createLog>) => {
    for (const level of ['debug', 'info', 'warn', 'error'] as const) log[level](level)
  }
  const levels = (level: LogLevel) => lines(all, { level }).map((line) => JSON.parse(line).level)
  expect(levels('debug')).toEqual(['debug', 'info', 'warn', 'error'])
  expect(levels('warn')).toEqual(['warn', 'error'])
  expect(levels('error')).toEqual(['error'])
})

test('an error is logged with its stack, code and cause, but without the quoted row', () => {
  const cause = Object.assign(new TypeError('no socket'), { code: 'ECONNREFUSED' })
  const err = Object.assign(new Error('no database', { cause }), {
    errno: '23505',
    detail: 'Key (email)=(ada@example.com) already exists.',
  })
  const { err: seen } = logged({ err }) as { err: Fields & { cause: Fields } }
  expect(seen).toMatchObject({ name: 'Error', message: 'no database', errno: '23505' })
  expect(seen.stack).toContain('log.test.ts')
  expect(seen.cause).toMatchObject({ name: 'TypeError', code: 'ECONNREFUSED' })
  expect(JSON.stringify(seen)).not.toContain('ada@example.com')
})

const Codes = z.strictObject({ a: z.enum(['x']).optional() })
function failureOf(act: () => unknown): unknown {
  try {
    return act()
  } catch (err) {
    return err
  }
}
function postgresError(errno: string, message: string): Error {
  return Object.assign(new Error(message), { name: 'PostgresError', errno })
}

const KEY = `sm_Ab3d${'x'.repeat(36)}`
const SECRETS: [string, Fields, string][] = [
  ['a key in a text', { text: `Unknown key ${KEY}.` }, 'Unknown key sm_Ab3d….'],
  ['a key in a header', { text: `authorization: Bearer ${KEY}` }, 'Bearer sm_Ab3d…'],
  ['another bearer token', { text: 'Bearer eyJhbGciOi.x.y-z' }, 'Bearer …'],
  ['the path of an address', { url: 'http://a.test/app/confirm/s3cr3t' }, 'http://a.test/…'],
  ['the query of an address', { at: 'see https://a.test?t=s3cr3t, then' }, 'see https://a.test/…'],
  ['a password in a URL', { url: 'postgres://me:s3cr3t@db/x' }, 'postgres://me:…@db/x'],
  ['a field with such a name', { Authorization: 's3cr3t', password: 's3cr3t' }, '[redacted]'],
  ['a field deep inside', { a: [{ access_token: 's3cr3t' }] }, '[redacted]'],
  ['headers', { headers: new Headers({ cookie: 's3cr3t=s3cr3t' }) }, '[redacted]'],
  ['an error', { err: new Error(`bad ${KEY}`) }, 'bad sm_Ab3d…'],
  [
    'what an error quotes',
    { err: failureOf(() => JSON.parse('s3cr3t')) },
    'JSON Parse error: Unex',
  ],
  ['what it quotes with escapes', { err: new Error(`no "a\\"s3cr3t\\"" here`) }, 'here'],
  ['a quoted text without an end', { err: new Error(`bad "${' s3cr3t'.repeat(2000)}`) }, 'bad'],
  ['a value that a schema refuses', { err: failureOf(() => Codes.parse({ a: 's3cr3t' })) }, 'at a'],
  [
    'a member that it does not know',
    { err: failureOf(() => Codes.parse({ s3cr3t: 1 })) },
    'at the',
  ],
  ['the cause that is data', { err: new Error('no', { cause: { state: 's3cr3t' } }) }, 'no'],
  ['a value of the database', { err: postgresError('22P02', 'bad: "s3cr3t"') }, 'bad: '],
]
test.each(SECRETS)('%s is not logged', (_name, fields, mask) => {
  for (const format of ['json', 'pretty'] as const) {
    const [line = ''] = lines((log) => log.info(`event ${KEY}`, fields), { format })
    expect(line).toContain(mask)
    expect(line).not.toMatch(/s3cr3t|eyJ|xxxx/)
  }
})

test('what only resembles a secret is logged', () => {
  const fields = { route: '/~/runtime.js', has_password: true, token_count: 'many' }
  expect(logged(fields)).toMatchObject(fields)
})

const NAMES: [string, unknown, string][] = [
  ['the path of a file', failureOf(() => readFileSync('/no/such file')), "open '/no/such file'"],
  ['a table', postgresError('42P01', 'no relation "pages"'), 'no relation "pages"'],
  ['code', failureOf(() => (null as never as { a: 1 }).a), "evaluating 'null.a'"],
  ['an apostrophe', new Error("it can't, and won't"), "it can't, and won't"],
]
test.each(NAMES)('an error that names %s is logged with it', (_name, err, text) => {
  expect((logged({ err }).err as Fields).message).toContain(text)
})

test('every value can be logged without an error, in a line of limited size', () => {
  const loop: Fields = { name: 'loop' }
  loop.self = loop
  const hostile = new Proxy({}, { ownKeys: () => fail() })
  const throwing = Object.defineProperty({}, 'x', { enumerable: true, get: () => fail() })
  const odd = { loop, hostile, throwing, big: 10n, bytes: new Uint8Array(9), at: new Date(0) }
  expect(logged(odd)).toMatchObject({
    loop: { name: 'loop', self: '[circular]' },
    hostile: '[unreadable]',
    throwing: { x: '[unreadable]' },
    big: '10',
    bytes: '[9 bytes]',
    at: '1970-01-01T00:00:00.000Z',
  })
  expect(logged({ map: new Map([['a', new Set([1])]]) }).map).toEqual({ a: [1] })
  expect(JSON.stringify(logged({ html: 'x'.repeat(4_000_000) })).length).toBeLessThan(9_000)
})

test('a log that cannot be written does not throw', () => {
  const log = createLog({ level: 'info', format: 'json' }, fail)
  expect(() => log.info('x')).not.toThrow()
})

test('pretty: a field without a value is left out', () => {
  const [line] = lines((log) => log.info('x', { id: undefined, n: 1 }), { format: 'pretty' })
  expect(line?.trimEnd()).toEndWith(' x n=1')
})

test('pretty: one line, then the stack; text from a visitor cannot start a line', () => {
  const [line = ''] = lines(
    (log) =>
      log.error('failed', { path: '/a b', agent: 'x\nERROR fake', n: 1, err: new Error('e') }),
    { format: 'pretty' },
  )
  const [first = '', ...stack] = line.trimEnd().split('\n')
  expect(first).toMatch(
    /^\d\d:\d\d:\d\d\.\d{3} ERROR failed path="\/a b" agent="x\\nERROR fake" n=1/,
  )
  expect(first).toContain('name=Error message=e')
  expect(stack.every((at) => at.startsWith('    '))).toBe(true)
  expect(lines((log) => log.info('a\nb'), { format: 'pretty' })[0]?.trimEnd()).not.toContain('\n')
})

test('lines go to stderr, as JSON without a terminal, and stdout stays empty', () => {
  const script = `const { createLog } = await import('${import.meta.dir}/log.ts')
    createLog({ level: 'info', format: null }).info('hello')`
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' })
  expect(stdout).toBe('')
  expect(JSON.parse(stderr).msg).toBe('hello')
})

function fail(): never {
  throw new Error('no')
}

test('what fails in an outage that was logged has no line of its own', () => {
  const failed = (err: Error) => lines((log) => log.error('request failed', { err }))
  expect(failed(new DatabaseDown())).toEqual([])
  expect(failed(new BlobsDown('Down'))).toEqual([])
  expect(failed(new Error('another'))).toHaveLength(1)
})
