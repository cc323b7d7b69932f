import { expect, test } from 'bun:test'
import { findWords, parseArguments, parseCommand } from './arguments.ts'
import { COMMANDS } from './commands/index.ts'

const OPTIONS = {
  find: { type: 'string' },
  'max-views': { type: 'string' },
  title: { type: 'string', multiple: true },
  publish: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

function refusal(...argv: string[]): string {
  try {
    parseArguments(argv, OPTIONS)
  } catch (err) {
    return String(err)
  }
  return 'none'
}

test('the value of an option may begin with a dash', () => {
  const values = (...argv: string[]) => ({ ...parseArguments(argv, OPTIONS).values })
  expect(values('--max-views', '-3')).toEqual({ 'max-views': '-3' })
  expect(values('--find', '- item', '--title', '-', '--publish')).toEqual({
    find: '- item',
    title: ['-'],
    publish: true,
  })
  expect(values('--find', '-- a rule', '--no-publish')).toEqual({
    find: '-- a rule',
    publish: false,
  })
  expect(values('--title', '-a', '--title', '-b=c')).toEqual({ title: ['-a', '-b=c'] })
  const { values: none, positionals } = parseArguments(['a', '--', '--find', '-x'], OPTIONS)
  expect([{ ...none }, positionals]).toEqual([{}, ['a', '--find', '-x']])
})

test('an option without its value, or with one that it does not take, is named', () => {
  expect(refusal('--find')).toBe('WrongUsage: --find needs a value.')
  expect(refusal('--find', '-h')).toStartWith('WrongUsage: --find needs a value.')
  // A typing error does not become a title.
  expect(refusal('--title', '--pubish')).toBe(
    'WrongUsage: --title needs a value. One that begins with -- is joined to it: --title=--x.',
  )
  expect(refusal('--publish=yes')).toBe(
    'WrongUsage: --publish takes no value; --no-publish switches it off.',
  )
})

test('an unknown option is named, and one that is like it', () => {
  expect(refusal('--publsh')).toBe(
    'WrongUsage: There is no option --publsh. Did you mean --publish?',
  )
  expect(refusal('--no-titel', 'x')).toEndWith('no option --no-titel. Did you mean --title?')
  expect(refusal('--limit', '3')).toBe('WrongUsage: There is no option --limit.')
  expect(refusal('a', '-1 from me')).toBe(
    'WrongUsage: There is no option -1. A text that begins with - goes after --.',
  )
})

test('options, with their values, may stand before the words of a command and between them', () => {
  const words = (...argv: string[]) => findWords(argv).tokens.map(({ value }) => value)
  expect(words('--plan', 'pro', 'account', '--name', 'Ann', 'add', 'a@b.c')).toEqual([
    'account',
    'add',
    'a@b.c',
  ])
  expect(words('--state', 'unread', 'inbox', '--json')).toEqual(['inbox'])
  expect(words('--version', 'list', '--', '--x')).toEqual(['list', '--x'])
  expect(findWords(['-h', 'list']).asksForHelp).toBe(true)
})

test('an option of another command is named with its commands', async () => {
  await expect(parseCommand(COMMANDS.get!, ['x', '--no-off'])).rejects.toThrow(
    '--off belongs to account operator, account suspend, links.',
  )
  await expect(parseCommand(null, ['--plan', 'pro'])).rejects.toThrow(
    '--plan belongs to account add.',
  )
})

test('every command takes --version, and pull has a value for its own', async () => {
  const versionOf = async (name: string, ...argv: string[]) =>
    (await parseCommand(COMMANDS[name]!, argv)).flags.version
  expect(await versionOf('list', '-v')).toBe(true)
  expect(await versionOf('pull', 'x', '--version', '3')).toBe('3')
})
