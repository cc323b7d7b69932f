import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import { extname, resolve } from 'node:path'
import type { Client, Output } from '../../src/client/index.ts'
import { filesToSave } from '../../src/model/manifest.ts'
import { count } from '../../src/model/numbers.ts'
import { type CommandContext, textOf, wholeNumber } from '../command.ts'
import { STDIN } from '../local-content.ts'
import { CommandFailed, oneLine, WrongUsage, writeFile } from '../output.ts'
import { findPageRecord, getPage, openPageRecord, type Page } from '../page.ts'
import { isTerminal, printStatus } from '../terminal.ts'
import { type PulledFile, saveFile, saveFolder } from '../write-files.ts'

/**
 * Saves the content of a page. The path is recorded as that of the page, so that publishing it
 * again replaces the same page.
 */
export async function pull(context: CommandContext): Promise<void> {
  const [, path] = context.args
  const versionNo = textOf(context.flags.version)
  const version = versionNo === undefined ? {} : { version: wholeNumber('--version', versionNo) }
  const page = await getPage(context)
  const client = context.client()
  const input = { id: page.id, ...version }
  const { data } = await client.listFiles(input)
  const files = filesToSave({
    ...data,
    files: data.files.map((file) => ({ ...file, mime: file.type })),
  })
  const pulled = files.map(
    (file): PulledFile => ({ path: file.path, chunks: () => fetchFile(client, input, file) }),
  )
  const single = data.kind === 'single' ? pulled[0]! : null
  if (path === STDIN) {
    if (single === null) throw new WrongUsage('A deck is a folder: name one.')
    await writeFile(single.chunks())
    return
  }
  const name = path ?? ownPath(context, single === null) ?? nameOf(page, single)
  const target = resolve(context.env.cwd, name)
  const force = context.flags.force === true
  const paths =
    single === null
      ? await saveFolder(target, pulled, force)
      : [await saveFile(target, single, { force })]
  openPageRecord(target, context.server).save(page)
  context.print({ path: target, files: paths }, name)
  if (isTerminal()) {
    const saved = `Saved ${count(paths.length, 'file')}.`
    printStatus(`${saved} To publish what you change there: handbill publish ${name}`)
  }
}

/** The path that names the page, where it is none of another kind. */
function ownPath(context: CommandContext, isDeck: boolean): string | null {
  const [name = ''] = context.args
  if (findPageRecord(context) === null) return null
  const stats = statSync(resolve(context.env.cwd, name), { throwIfNoEntry: false })
  return stats === undefined || stats.isDirectory() === isDeck ? name : null
}

/** A single HTML page has no name of its own but its slug. */
function nameOf({ file, slug }: Page, single: PulledFile | null): string {
  if (single !== null && file !== null) return single.path
  return `${slug}${single === null ? '' : extname(single.path)}`
}

/** @throws CommandFailed where the bytes are others than the list says */
async function* fetchFile(
  client: Client,
  input: { id: string; version?: number },
  { path, hash }: Output<'listFiles'>['data']['files'][number],
): AsyncGenerator<Uint8Array> {
  const response = await client.readFile({ ...input, path })
  const hasher = createHash('sha256')
  for await (const chunk of response.body ?? []) {
    hasher.update(chunk)
    yield chunk
  }
  if (hasher.digest('hex') === hash) return
  throw new CommandFailed(
    `${oneLine(path)} arrived damaged, or the draft has just changed: pull the page again.`,
  )
}
