import { extensionOf, formatOf, isHtmlName } from '../../../src/client/content/local-content.ts'

/** Something to publish as one page: a file, or a folder with the paths of its files. */
export interface Source {
  name: string
  files: SourceFile[]
  isFolder: boolean
}
export interface SourceFile {
  path: string
  file: File
}

/**
 * Files that were chosen or dropped together. A document with the styles, scripts or images it
 * needs is one deck; anything else is a page for each file.
 */
export function groupFiles(files: readonly File[]): Source[] {
  const names = files.map(({ name }) => name)
  const hasParts = names.some((name) => isPart(name))
  const isSite = names.some((name) => /^index\.html?$/i.test(name))
  if (files.length > 1 && names.some(isHtmlName) && (hasParts || isSite)) {
    return [{ name: names.find(isHtmlName)!, files: files.map(sourceFile), isFolder: true }]
  }
  return files.map((file) => ({ name: file.name, files: [sourceFile(file)], isFolder: false }))
}

const sourceFile = (file: File): SourceFile => ({ path: file.name, file })

/** Whether a file is part of a document, and no page of its own. */
function isPart(name: string): boolean {
  const format = formatOf(name)
  return format === 'other' || (format === 'file' && extensionOf(name) !== 'pdf')
}

/** Files of one chosen folder: their paths start with its name. */
export function folderOf(files: readonly File[]): Source[] {
  const [first] = files
  if (first === undefined) return []
  const [name = 'The folder'] = first.webkitRelativePath.split('/')
  const inside = ({ webkitRelativePath: path }: File) => path.slice(name.length + 1)
  return [{ name, files: files.map((file) => ({ path: inside(file), file })), isFolder: true }]
}
