import { expect, test } from 'bun:test'
import { ALIASES, COMMANDS } from './commands/index.ts'
import { commandReference, helpOf } from './reference.ts'
import { settingFlags } from './settings.ts'

test('the reference has every command and alias once, with all options', async () => {
  const { groups, settings } = await commandReference()
  const commands = groups.flatMap((group) => group.commands)
  expect(commands.map(({ name }) => name).sort()).toEqual(Object.keys(COMMANDS).sort())
  expect(commands.flatMap(({ aliases }) => aliases).sort()).toEqual(Object.keys(ALIASES).sort())
  for (const { name, options, example } of commands) {
    const flags = [...Object.keys(COMMANDS[name]!.flags ?? {}), 'json']
    expect(options.map(({ spelling }) => spelling.replace(/ .*/, ''))).toEqual(
      flags.map((flag) => `--${flag}`),
    )
    expect(example, name).toContain(`handbill ${name}`)
    for (const { help } of options) expect(help, name).toMatch(/.{5,}/)
  }
  expect(settings).toHaveLength(settingFlags().length)
})

test('the options for settings show their choices, and the empty value in place of null', async () => {
  const { settings } = await commandReference()
  const settingOf = (start: string) => settings.find(({ spelling }) => spelling.startsWith(start))!
  expect(settingOf('--access').spelling).toStartWith('--access link|')
  expect(settingOf('--[no-]indexed').spelling).toBe('--[no-]indexed')
  expect(settingOf('--max-views').spelling).toBe('--max-views N')
  expect(settings.filter(({ help }) => /\bnull\b/.test(help))).toEqual([])
})

test('the help has its columns on terminals of any width, and of none that they say', async () => {
  const { columns } = process.stdout
  const textAt = async (width: number | undefined) => {
    Object.assign(process.stdout, { columns: width })
    return (await helpOf('edit', COMMANDS.edit!)).join('\n')
  }
  try {
    const unbroken = await textAt(undefined)
    expect(await textAt(0)).toBe(unbroken)
    expect(await textAt(60)).not.toBe(unbroken)
    // Beside the names there would be no room for the texts.
    expect(unbroken).toContain('\n  --all                                replace')
    expect(await textAt(40)).toContain('\n  --all\n       replace')
    const long = (await textAt(40)).split('\n').filter((row) => row.length > 40)
    expect(long).toEqual([`  ${COMMANDS.edit!.example}`])
    for (const width of [1, 60, 5000]) {
      const words = (await textAt(width)).split(/\s+/)
      expect(words).toEqual(unbroken.split(/\s+/))
    }
  } finally {
    Object.assign(process.stdout, { columns })
  }
})
