import { File, FileCode, FilePlus2, Image, type LucideIcon, Palette, Upload } from 'lucide-react'
import { useRef, useState } from 'react'
import type { Page } from '../../boot.ts'
import { useStore } from '../../store.ts'
import { Button } from '../../ui/button.tsx'
import { Menu } from '../../ui/menu.tsx'
import { showToast } from '../../ui/toast.tsx'
import { addFiles } from './add-files.ts'
import { type Draft, isHtmlPath, without } from './draft.ts'
import { FileName } from './file-name.tsx'
import type { EditSession } from './session.ts'

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
          icon={<FilePlus2 size={16} aria-hidden />}
          onClick={() => setNaming({ kind: 'new' })}
        >
          New page
        </Button>
        <Button
          look="quiet"
          className="text-13!"
          icon={<Upload size={16} aria-hidden />}
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
        <Icon size={15} aria-hidden className="shrink-0" />
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
