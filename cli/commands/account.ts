import { resolve } from 'node:path'
import type { Output } from '../../src/client/index.ts'
import { inMegabytes } from '../../src/model/plan.ts'
import type { CommandContext } from '../command.ts'
import { readableFile } from '../local-content.ts'
import { CommandFailed, table, WrongUsage, writeFile, writeProgress } from '../output.ts'
import { isTerminal, printStatus, showProgress } from '../terminal.ts'
import { saveFile } from '../write-files.ts'

type Imported = Output<'importAccount'>['data']

const STDOUT = '-'
const SHOW_BYTES = 256 * 1024
/** The end of a complete zip without a comment: its signature, and how long it is. */
const ZIP_END = Buffer.from('PK\x05\x06', 'latin1')
const ZIP_END_BYTES = 22

export async function exportAccount(context: CommandContext): Promise<void> {
  const [file] = context.args
  if (file === STDOUT && isTerminal()) {
    throw new WrongUsage('A zip is not for a terminal: name a file, or send - into a pipe.')
  }
  const response = await context.client().exportAccount()
  let sizeBytes = 0
  async function* chunks(): AsyncGenerator<Uint8Array> {
    sizeBytes = yield* whole(response.body as unknown as AsyncIterable<Uint8Array>)
  }
  if (file === STDOUT) return writeFile(chunks())
  const name = file ?? nameOf(response)
  const path = resolve(context.env.cwd, name)
  const force = context.flags.force === true
  await saveFile(path, { path: name, chunks }, { force, isPrivate: true })
  context.print({ path, size_bytes: sizeBytes }, name)
  if (isTerminal()) {
    printStatus(`Saved ${inMegabytes(sizeBytes)}. It has passwords and addresses: keep it safe.`)
  }
}

function nameOf({ headers }: Response): string {
  const disposition = headers.get('content-disposition') ?? ''
  return /filename="?(handbill-[\w-]+\.zip)/.exec(disposition)?.[1] ?? 'handbill.zip'
}

/**
 * Passes a zip through, and shows its progress.
 * @returns its size. @throws CommandFailed if its end is missing
 */
async function* whole(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, number> {
  let [size, reportedSize] = [0, 0]
  let end = Buffer.alloc(0)
  try {
    for await (const bytes of chunks) {
      size += bytes.byteLength
      end = Buffer.concat([end, bytes.subarray(-ZIP_END_BYTES)]).subarray(-ZIP_END_BYTES)
      if (process.stderr.isTTY && size - reportedSize >= SHOW_BYTES) {
        reportedSize = size
        writeProgress(`Exporting ${inMegabytes(size)}`)
      }
      yield bytes
    }
  } finally {
    if (reportedSize > 0) writeProgress(null)
  }
  if (end.subarray(0, ZIP_END.length).equals(ZIP_END)) return size
  throw new CommandFailed('The export broke off, and nothing was saved. Export again.')
}

export async function importAccount(context: CommandContext): Promise<void> {
  const file = context.args[0]!
  const zip = await readableFile(resolve(context.env.cwd, file))
  const progress = showProgress(file)
  function onProgress(sentBytes: number): void {
    if (sentBytes < zip.size) progress.update(sentBytes, zip.size)
    else if (process.stderr.isTTY) writeProgress('Importing…')
  }
  let data: Imported
  try {
    data = (await context.client().importAccount(zip, { onProgress })).data
  } finally {
    progress.end()
  }
  const { failed, pages } = data
  if (failed === 0) return context.print(data, describe(data))
  if (!context.asJson) context.print(data, describe(data))
  const some = `${failed} of ${pages.length} pages`
  throw new CommandFailed(`${some} were not imported: nothing of them is kept.`, data)
}

function describe({ pages }: Imported): string[] {
  const rows = pages.map((page) => ({
    page: page.from_slug,
    result: page.status,
    where: page.url ?? '',
    note: page.reason ?? page.left_out.map((what) => `left out: ${what}`).join(', '),
  }))
  return table(rows, 'The zip has no pages.')
}
