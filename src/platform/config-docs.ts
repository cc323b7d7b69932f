import { join } from 'node:path'
import { UNAVAILABLE, VARIABLES, type Variable } from './config-variables.ts'

/** Run `bin/bun src/platform/config-docs.ts` to write this file. */
export const CONFIGURATION_MD = join(import.meta.dir, '../../docs/configuration.md')

const HEAD = `# Configuration

<!-- Written by \`bin/bun src/platform/config-docs.ts\` from src/platform/config-variables.ts. -->

Every setting is an environment variable, and all of them are optional. The server also reads a
\`.env\` file in the folder where it is started; variables of the environment win over that file.
An empty variable counts as unset. The server checks all settings at start. It prints one line to
stderr for each bad one and exits with status 1.

| variable | default | meaning |
|---|---|---|
`

const UNAVAILABLE_HEAD = `
## Not available yet

This version refuses to start with these settings, because it lacks the parts they belong to.

| part | variables |
|---|---|
`

export function configurationDocs(): string {
  const rows = describeVariables().map(
    ({ name, fallback, meaning }) => `| \`${name}\` | ${fallback} | ${meaning} |\n`,
  )
  const unavailable = UNAVAILABLE.map(({ part, names }) => {
    return `| ${part} | ${names.map((name) => `\`${name}\``).join(', ')} |\n`
  })
  return [HEAD, ...rows, UNAVAILABLE_HEAD, ...unavailable].join('')
}

/** A setting of the server, in Markdown. */
export interface DescribedVariable {
  name: string
  fallback: string
  meaning: string
}

export function describeVariables(): DescribedVariable[] {
  return Object.entries<Variable<unknown>>(VARIABLES).map(([name, variable]) => {
    const { about, must, isSecret } = variable
    const secret = isSecret ? ' It is never printed or logged.' : ''
    const rule = must === undefined ? '' : ` Must be ${must.replaceAll('<', '\\<')}.`
    return { name, fallback: defaultOf(variable), meaning: about + rule + secret }
  })
}

function defaultOf({ unset, fallback }: Variable<unknown>): string {
  if (fallback === null) return unset ?? 'none'
  return fallback === '' ? 'none' : `\`${fallback}\``
}

if (import.meta.main) await Bun.write(CONFIGURATION_MD, configurationDocs())
