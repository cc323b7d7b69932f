/**
 * `bin/bun build/package.ts [folder]` makes the npm package `handbill` in a folder, dist/package: the
 * client for programs and the command line, each one file, the types of the client and the manual page.
 * `npm pack` makes its file. It needs the packages for tests and checks: TypeScript writes the types.
 */
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import ts from 'typescript'
import { manualLines } from '../cli/manual.ts'
import packageJson from '../package.json' with { type: 'json' }
import type { JsonValue } from '../src/client/operations.ts'
import { buildClient, buildCommandLine } from './client.ts'

const root = resolve(import.meta.dir, '..')
const folder = resolve(process.argv[2] ?? join(root, 'dist/package'))
const client = join(root, 'src/client')
/** Files of the client whose declarations need no other. */
const TYPED = ['index', 'types', 'error', 'idempotency-key']

const { name, version, description, engines } = packageJson
const manifest = {
  ...{ name, version, description, engines },
  type: 'module',
  sideEffects: false,
  exports: { '.': { types: './index.d.ts', default: './index.js' } },
  bin: { handbill: 'handbill' },
  man: ['handbill.1'],
}

await rm(folder, { recursive: true, force: true })
await mkdir(folder, { recursive: true })
await writeFile(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
await copyFile(join(root, 'docs/client.md'), join(folder, 'README.md'))
await writeFile(join(folder, 'handbill'), await buildCommandLine(null), { mode: 0o755 })
await writeFile(join(folder, 'handbill.1'), `${(await manualLines()).join('\n')}\n`)
await writeFile(join(folder, 'index.js'), await buildClient())
for (const file of TYPED) {
  await writeFile(join(folder, `${file}.d.ts`), await declarationsOf(`${file}.ts`))
}
await writeFile(join(folder, 'operations.d.ts'), operationTypes())

async function declarationsOf(file: string): Promise<string> {
  const text = await Bun.file(join(client, file)).text()
  const { outputText, diagnostics = [] } = ts.transpileDeclaration(text, {
    compilerOptions: { stripInternal: true },
    reportDiagnostics: true,
  })
  if (diagnostics.length > 0) throw new Error(`${file}: ${diagnostics[0]!.messageText}`)
  return outputText.replaceAll(/(from '\.\/[\w-]+)\.ts'/g, "$1.js'")
}

/** The one type that the written ones name, since it contains itself. */
export type Named = JsonValue

/**
 * The inputs and outputs of all operations, written out: the contracts declare them by schemas, which
 * would need a package.
 */
function operationTypes(): string {
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => {} }
  const { options } = ts.getParsedCommandLineOfConfigFile(join(root, 'tsconfig.json'), {}, host)!
  const program = ts.createProgram([import.meta.path], options)
  const checker = program.getTypeChecker()
  const operations = program.getSourceFile(join(client, 'operations.ts'))!
  const here = program.getSourceFile(import.meta.path)!
  const printer = ts.createPrinter()
  const flags = ts.NodeBuilderFlags.NoTruncation | ts.NodeBuilderFlags.InTypeAlias
  const exported = checker.getExportsOfModule(checker.getSymbolAtLocation(operations)!)
  const typeOf = (name: string) =>
    checker.getDeclaredTypeOfSymbol(exported.find((symbol) => symbol.name === name)!)
  const written = (type: ts.Type) => {
    const node = checker.typeToTypeNode(type, here, flags)!
    const text = printer.printNode(ts.EmitHint.Unspecified, node, here)
    // A type that cannot be written is `any`, and one with a name of its own is imported.
    if (/\bany\b|\bimport\(|\.\.\./.test(text)) throw new Error(`cannot be written out: ${text}`)
    return text
  }
  const members = typeOf('Operations').getProperties()
  return `export interface Operations {
${members.map((each) => `  ${each.name}: ${written(checker.getTypeOfSymbol(each))}`).join('\n')}
}
export type OperationName = keyof Operations
/** The input of an operation. */
export type Input<N extends OperationName> = Operations[N]['input']
/** Its answer. */
export type Output<N extends OperationName> = Operations[N]['output']
/** What says where a page of a client comes from. */
export type ClientSource = ${written(typeOf('ClientSource'))}
export type JsonValue = ${written(typeOf('JsonValue'))}
`
}
