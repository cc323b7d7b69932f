import { type FoundFile, groupFiles, type Source } from './sources.ts'

/** More are not listed: the deck's rules refuse them anyway. */
const MAX_FILES = 10_000

/**
 * What was dropped: each folder is a source of its own. The browser gives its items away when the
 * event ends, so they are taken before anything is awaited.
 */
export async function sourcesOf(data: DataTransfer): Promise<Source[]> {
  const entries = [...data.items].map((item) => item.webkitGetAsEntry?.() ?? null)
  const files = [...data.files]
  const folders = entries.filter((entry) => entry?.isDirectory === true)
  if (folders.length === 0) return groupFiles(files)
  const names = new Set(folders.map((folder) => folder!.name))
  const sources = await Promise.all(
    folders.map(async (folder): Promise<Source> => {
      const found = await filesIn(folder as FileSystemDirectoryEntry)
      return { name: folder!.name, files: found, isFolder: true }
    }),
  )
  return [...sources, ...groupFiles(files.filter(({ name }) => !names.has(name)))]
}

async function filesIn(folder: FileSystemDirectoryEntry): Promise<FoundFile[]> {
  const found: FoundFile[] = []
  const waiting: [path: string, folder: FileSystemDirectoryEntry][] = [['', folder]]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [path, inner] = next
    for (const entry of await entriesIn(inner)) {
      if (found.length >= MAX_FILES) return found
      if (isFolder(entry)) waiting.push([`${path}${entry.name}/`, entry])
      else found.push({ path: path + entry.name, file: await fileOf(entry as FileSystemFileEntry) })
    }
  }
  return found
}

function isFolder(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory
}

/** The browser lists a folder in parts, until one is empty. */
async function entriesIn(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader()
  const all: FileSystemEntry[] = []
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    )
    if (part.length === 0) return all
    all.push(...part)
  }
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject))
}
