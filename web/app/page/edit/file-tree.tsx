import { File, FileCode, FilePlus2, Image, type LucideIcon, Palette, Upload } from 'lucide-react'
import { useRef, useState } from 'react'
import { MAX_ASSET_BYTES, MAX_DECK_ASSETS, MAX_DECK_PAGES } from '../../../../src/model/plan.ts'
import { api, messageOf } from '../../api.ts'
import type { Page } from '../../boot.ts'
import { useStore } from '../../store.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Menu } from '../../ui/menu.tsx'
import { showError, showToast } from '../../ui/toast.tsx'
import {
  type Asset,
  type Draft,
  inOrder,
  isHtmlPath,
  pathProblem,
  renamed,
  type TextFile,
  without,
} from './draft.ts'
import type { EditSession } from './session.ts'

const NEW_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title></title>
</head>
<body>

</body>
</html>
`

interface FileTreeProps {
  session: EditSession
  open: string
  onOpen(path: string): void
}

type Naming = { kind: 'new' } | { kind: 'rename'; path: string }

/** The files of a deck: open, add, rename, delete, and choose where visitors land. */
export function FileTree({ session, open, onOpen }: FileTreeProps & { page: Page }) {
  const { work } = useStore(session)
  const [naming, setNaming] = useState<Naming | null>(null)
  const [isAdding, setAdding] = useState(false)
  const input = useRef<HTMLInputElement>(null)

  async function add(files: FileList | null): Promise<void> {
    if (files === null || files.length === 0) return
    setAdding(true)
    try {
      const added = await addFiles(session, [...files])
      if (added[0] !== undefined) onOpen(added[0])
    } finally {
      setAdding(false)
      if (input.current) input.current.value = ''
    }
  }
  function remove(path: string): void {
    const before = session.get().work
    session.edit(without(before, path))
    showToast(`${path} deleted from the draft`, {
      undo: () => session.edit(before),
    })
  }
  return (
    <nav aria-label="Files of the deck" className="flex min-h-0 flex-col gap-2">
      <ul className="min-h-0 overflow-y-auto max-md:max-h-48">
        {pathsOf(work).map((path) => (
          <FileRow
            key={path}
            path={path}
            type={work.assets.find((one) => one.path === path)?.type ?? 'text/html'}
            isEntry={path === work.entry}
            isOpen={path === open}
            isLastPage={isHtmlPath(path) && work.files.length === 1}
            onOpen={() => onOpen(path)}
            onRename={() => setNaming({ kind: 'rename', path })}
            onDelete={() => remove(path)}
            onEntry={() => session.edit({ ...session.get().work, entry: path })}
          />
        ))}
      </ul>
      <div className="flex gap-1 md:flex-col md:items-start">
        <Button
          look="quiet"
          className="text-13!"
          icon={FilePlus2}
          onClick={() => setNaming({ kind: 'new' })}
        >
          New page
        </Button>
        <Button
          look="quiet"
          className="text-13!"
          icon={Upload}
          disabled={isAdding}
          onClick={() => input.current?.click()}
        >
          {isAdding ? 'Uploading…' : 'Add files'}
        </Button>
        <input
          ref={input}
          type="file"
          multiple
          hidden
          aria-label="Files to add"
          onChange={(event) => void add(event.target.files)}
        />
      </div>
      {naming !== null && (
        <FileName
          session={session}
          before={naming.kind === 'rename' ? naming.path : null}
          onDone={(path) => {
            setNaming(null)
            if (path !== null) onOpen(path)
          }}
        />
      )}
    </nav>
  )
}

/** The entry first, then pages, then the rest. */
function pathsOf({ entry, files, assets }: Draft): string[] {
  const pages = files.map(({ path }) => path).filter((path) => path !== entry)
  return [entry, ...pages, ...assets.map(({ path }) => path)]
}

function iconOf(type: string): LucideIcon {
  if (type.startsWith('text/html')) return FileCode
  if (type.startsWith('image/')) return Image
  return type.startsWith('text/css') ? Palette : File
}

interface FileRowProps {
  path: string
  type: string
  isEntry: boolean
  isOpen: boolean
  isLastPage: boolean
  onOpen(): void
  onRename(): void
  onDelete(): void
  onEntry(): void
}

function FileRow(props: FileRowProps) {
  const { path, type, isEntry, isOpen, isLastPage, onOpen, onRename, onDelete, onEntry } = props
  const Icon = iconOf(type)
  return (
    <li className="group flex items-center">
      <button
        type="button"
        aria-current={isOpen ? 'true' : undefined}
        title={isEntry ? `${path}: visitors land here` : path}
        onClick={onOpen}
        className="flex min-h-8 min-w-0 flex-1 items-center gap-2 rounded-control px-2 text-left text-13 text-muted hover:bg-sunk hover:text-ink aria-[current]:bg-sunk aria-[current]:text-ink pointer-coarse:min-h-11"
      >
        <Icon size={15} className="shrink-0" />
        <span className="truncate">{path}</span>
        {isEntry && <span className="ml-auto shrink-0 text-12 text-muted">entry</span>}
      </button>
      <Menu
        label={`More about ${path}`}
        icon={<span aria-hidden>⋯</span>}
        items={[
          { label: 'Rename', onSelect: onRename },
          ...(isHtmlPath(path)
            ? [{ label: 'Make it the entry', isDisabled: isEntry, onSelect: onEntry }]
            : []),
          { label: 'Delete file', isDanger: true, isDisabled: isLastPage, onSelect: onDelete },
        ]}
      />
    </li>
  )
}

/**
 * Adds files to the draft: pages as text, others as uploads. A file of the same name is replaced.
 * @returns the paths that were added
 */
async function addFiles(session: EditSession, files: File[]): Promise<string[]> {
  const added: string[] = []
  for (const file of files) {
    const path = file.name.normalize('NFC')
    try {
      if (isHtmlPath(path)) putPage(session, { path, text: await file.text() })
      else putAsset(session, await uploaded(file, path))
      added.push(path)
    } catch (err) {
      showError(`${path}: ${messageOf(err)}`)
    }
  }
  return added
}

async function uploaded(file: File, path: string): Promise<Asset> {
  if (file.size > MAX_ASSET_BYTES) throw new Error('A file of a deck may have 5 MB.')
  const { data } = await api.createUpload(file)
  const type = file.type || 'application/octet-stream'
  return { path, type, size_bytes: file.size, source: { upload: data.id } }
}

function putPage(session: EditSession, page: TextFile): void {
  const { work } = session.get()
  const files = replaced(work.files, page)
  if (files.length > MAX_DECK_PAGES) throw new Error(`A deck takes ${MAX_DECK_PAGES} pages.`)
  assertPath(session, page.path)
  session.edit({ ...work, files })
}

function putAsset(session: EditSession, asset: Asset): void {
  const { work } = session.get()
  const assets = replaced(work.assets, asset)
  if (assets.length > MAX_DECK_ASSETS) throw new Error(`A deck takes ${MAX_DECK_ASSETS} files.`)
  assertPath(session, asset.path)
  session.edit({ ...work, assets })
}

function replaced<F extends { path: string }>(files: F[], file: F): F[] {
  return inOrder([...files.filter(({ path }) => path !== file.path), file])
}

function assertPath(session: EditSession, path: string): void {
  const problem = pathProblem(session.get().work, path, path)
  if (problem !== null) throw new Error(problem)
}

interface FileNameProps {
  session: EditSession
  /** The file to rename; null for a new page. */
  before: string | null
  /** With the path of the file, or null where nothing was done. */
  onDone(path: string | null): void
}

/** Asks for the path of a new page, or the new path of a file. */
function FileName({ session, before, onDone }: FileNameProps) {
  const [path, setPath] = useState(before ?? '')
  const [problem, setProblem] = useState<string | null>(null)

  function apply(): void {
    const { work } = session.get()
    const wanted = path.trim().normalize('NFC')
    if (wanted === before) {
      onDone(null)
      return
    }
    const isPage = before !== null || isHtmlPath(wanted)
    const found =
      pathProblem(work, wanted, before) ?? (isPage ? null : 'A page’s name ends in .html.')
    if (found !== null) {
      setProblem(found)
      return
    }
    session.edit(
      before === null
        ? { ...work, files: inOrder([...work.files, { path: wanted, text: NEW_PAGE }]) }
        : renamed(work, before, wanted),
    )
    onDone(wanted)
  }
  return (
    <Dialog
      title={before === null ? 'New page' : 'Rename file'}
      onClose={() => onDone(null)}
      actions={
        <>
          <Button onClick={() => onDone(null)}>Cancel</Button>
          <Button look="primary" onClick={apply}>
            {before === null ? 'Add page' : 'Rename'}
          </Button>
        </>
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          apply()
        }}
      >
        <TextField
          label="Path"
          value={path}
          placeholder="parts/two.html"
          error={problem}
          help={
            before === null
              ? 'From the deck’s folder.'
              : 'Links to the old name stay as they are: change them by Find in all files.'
          }
          onChange={(event) => {
            setPath(event.target.value)
            setProblem(null)
          }}
        />
      </form>
    </Dialog>
  )
}
