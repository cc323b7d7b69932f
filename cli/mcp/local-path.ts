import { realpathSync } from 'node:fs'
import { relative, resolve, sep } from 'node:path'
import { contentFields } from '../../src/features/content/contract.ts'
import { refuse } from '../../src/model/errors.ts'
import type { OfferedTool } from '../../src/model/mcp/tools.ts'
import { describeFileError } from '../json-files.ts'
import { readLocalContent } from '../local-content.ts'

type Values = Record<string, unknown>

/** Content fields that only describe the content: they are allowed beside local_path. */
const DESCRIPTIVE_FIELDS = ['entry', 'filename', 'mime']

export function withLocalPath(tools: Map<string, OfferedTool>, folder: string) {
  const property = {
    type: 'string',
    description:
      `Instead of other content: a file or a folder (a deck) inside ${folder}. ` +
      'Best for anything large.',
  }
  const extended = [...tools].map(([name, tool]): [string, OfferedTool] => {
    if (!takesContent(tool)) return [name, tool]
    const { inputSchema } = tool.listing
    const properties = { ...(inputSchema.properties as object), local_path: property }
    const listing = { ...tool.listing, inputSchema: { ...inputSchema, properties } }
    return [name, { ...tool, listing }]
  })
  return new Map(extended)
}

/**
 * Reads the content that `local_path` names.
 *
 * @throws Refusal `content_source` or `bad_path`; CommandFailed if the path cannot be read
 */
export async function readLocalPath(folder: string | null, tool: OfferedTool, input: Values) {
  const { local_path, ...args } = input
  if (local_path === undefined || folder === null || !takesContent(tool)) {
    return { args: input, local: null }
  }
  const conflict = Object.keys(contentFields).find(
    (name) => name in args && !DESCRIPTIVE_FIELDS.includes(name),
  )
  if (conflict !== undefined) {
    const message = `Give either local_path or ${conflict}, not both.`
    throw refuse.invalid('content_source', message, { param: 'local_path' })
  }
  const local = await readLocalContent(resolveInside(folder, local_path))
  if (!((local.kind === 'file' ? 'file_upload' : 'html_upload') in tool.contract.input.shape)) {
    const otherTool = local.kind === 'file' ? 'publish_file' : 'publish_page'
    throw refuse.invalid(
      'content_source',
      `The content at local_path is for the tool ${otherTool}.`,
      { param: 'local_path' },
    )
  }
  return { args, local }
}

function takesContent({ contract }: OfferedTool): boolean {
  return 'html_upload' in contract.input.shape || 'file_upload' in contract.input.shape
}

/** The real path, with links resolved. It must be in the folder and not in a hidden one. */
function resolveInside(folder: string, path: unknown): string {
  if (typeof path !== 'string' || path.includes('\0')) throw badPath('must be a path')
  const root = realpathSync(folder)
  let real: string
  try {
    real = realpathSync(resolve(root, path))
  } catch (err) {
    throw badPath(`cannot be read: ${describeFileError(err)}`)
  }
  const parts = relative(root, real).split(sep)
  if (parts[0] === '..') throw badPath(`leads out of ${folder}: copy it there first`)
  if (parts.some((part) => part.startsWith('.')))
    throw badPath('leads to a name that starts with a dot')
  return real
}

function badPath(problem: string) {
  return refuse.invalid('bad_path', `local_path ${problem}.`, { param: 'local_path' })
}
