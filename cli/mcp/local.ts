import { realpathSync } from 'node:fs'
import { relative, resolve, sep } from 'node:path'
import type { Client } from '../../src/client/index.ts'
import { contentFields } from '../../src/features/content/contract.ts'
import { refuse } from '../../src/model/errors.ts'
import type { OfferedTool } from '../../src/model/mcp/tools.ts'
import { contentFor } from '../content.ts'
import { reasonOf } from '../files.ts'
import { type LeftOut, readSource } from '../sources/index.ts'

type Values = Record<string, unknown>

/** Content fields that describe content and do not bring it: they may go with local_path. */
const DESCRIBING = ['entry', 'filename', 'mime']

/** The same tools, whose content may also be what lies in a folder here. */
export function withLocalPath(tools: Map<string, OfferedTool>, folder: string) {
  const property = {
    type: 'string',
    description:
      'Instead of other content: a file (HTML, PDF, image, zip) or a folder (a deck) on this ' +
      `computer, inside ${folder}. The best way for anything large.`,
  }
  const taking = [...tools].map(([name, tool]): [string, OfferedTool] => {
    if (!takesContent(tool)) return [name, tool]
    const { inputSchema } = tool.listed
    const properties = { ...(inputSchema.properties as object), local_path: property }
    const listed = { ...tool.listed, inputSchema: { ...inputSchema, properties } }
    return [name, { ...tool, listed }]
  })
  return new Map(taking)
}

/**
 * The input with what `local_path` holds in its place; what is large goes up by itself.
 *
 * @throws Refusal `content_source`, `bad_path`, CommandFailed where it cannot be read
 */
export async function fillFromPath(
  { client, folder }: { client: Client; folder: string | null },
  tool: OfferedTool,
  given: Values,
): Promise<{ input: Values; leftOut: LeftOut[] }> {
  const { local_path: localPath, ...rest } = given
  if (localPath === undefined || folder === null || !takesContent(tool)) {
    return { input: given, leftOut: [] }
  }
  const twice = Object.keys(contentFields).find(
    (name) => name in rest && !DESCRIBING.includes(name),
  )
  if (twice !== undefined) {
    throw refuse.invalid('content_source', `Give either local_path or ${twice}, not both.`)
  }
  const source = await readSource(insidePath(folder, localPath))
  if (!((source.kind === 'file' ? 'file_upload' : 'html_upload') in tool.contract.input.shape)) {
    const other = source.kind === 'file' ? 'publish_file' : 'publish_page'
    throw refuse.invalid('content_source', `What local_path holds is for ${other}.`)
  }
  const leftOut = source.kind === 'deck' ? source.leftOut : []
  return { input: { ...(await contentFor(client, source)), ...rest }, leftOut }
}

function takesContent({ contract }: OfferedTool): boolean {
  return 'html_upload' in contract.input.shape || 'file_upload' in contract.input.shape
}

/** Where a path truly leads: never out of the folder, nor to what its owner hides by a dot. */
function insidePath(folder: string, path: unknown): string {
  if (typeof path !== 'string' || path.includes('\0')) throw badPath('must be the text of a path')
  const root = realpathSync(folder)
  let real: string
  try {
    real = realpathSync(resolve(root, path))
  } catch (err) {
    throw badPath(`cannot be read: ${reasonOf(err)}`)
  }
  const parts = relative(root, real).split(sep)
  if (parts[0] === '..') throw badPath(`leads out of ${folder}: copy it there first`)
  if (parts.some((part) => part.startsWith('.'))) throw badPath('leads to what a dot hides')
  return real
}

function badPath(why: string) {
  return refuse.invalid('bad_path', `local_path ${why}.`, { param: 'local_path' })
}
