import { join } from 'node:path'
import { VARIABLES, type Variable } from './config-variables.ts'

/** `bin/bun src/platform/config-docs.ts` writes it anew. */
export const CONFIGURATION_MD = join(import.meta.dir, '../../docs/configuration.md')

const HEAD = `# Configuration

<!-- Written by \`bin/bun src/platform/config-docs.ts\` from src/platform/config-variables.ts. -->

Every setting is an environment variable, and none is needed. A \`.env\` file in the folder where
\`handbill\` is called is read too; a variable that is set already wins over it. An empty variable
counts as unset. All of them are checked at the start: for each bad one there is a line on stderr,
and the exit status is 1.

| variable | default | what it does |
|---|---|---|
`

export function configurationDocs(): string {
  return HEAD + Object.entries<Variable<unknown>>(VARIABLES).map(row).join('')
}

function row([name, { about, must, unset, fallback, isSecret }]: [string, Variable<unknown>]) {
  const without = fallback === null ? unset : fallback === '' ? 'none' : `\`${fallback}\``
  const secret = isSecret ? ' A secret: never printed.' : ''
  const rule = must === undefined ? '' : ` Must be ${must.replaceAll('<', '\\<')}.`
  return `| \`${name}\` | ${without ?? 'none'} | ${about}${rule}${secret} |\n`
}

if (import.meta.main) await Bun.write(CONFIGURATION_MD, configurationDocs())
