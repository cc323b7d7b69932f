import {
  Ellipsis,
  FileCode,
  File as FileIcon,
  FilePlus2,
  Image,
  Palette,
  Upload,
} from 'lucide-preact'
import { besideLimit, type Limits } from '../../../../src/model/plan.ts'
import { useAccount } from '../../account.ts'
import { api, messageOf } from '../../api.ts'
import { FileButton } from '../../publishing/source-buttons.tsx'
import { useStore } from '../../store.ts'
import { QuietButton } from '../../ui/button.tsx'
import { openDialog } from '../../ui/dialog.tsx'
import { Menu } from '../../ui/menu.tsx'
import { NameDialog } from '../../ui/name-dialog.tsx'
import { showError, showToast } from '../../ui/toast.tsx'
import { useAction } from '../../use-action.ts'
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

/** By how the type of a file begins. */
const ICONS = [
  ['text/html', FileCode],
  ['image/', Image],
  ['text/css', Palette],
  ['', FileIcon],
] as const

interface FileTreeProps {
  session: EditSession
  open: string
  onOpen(path: string): void
}

export function FileTree({ session, open, onOpen }: FileTreeProps) {
  const { work } = useStore(session)
  const { limits } = useAccount()
  const adding = useAction((files: File[]) => addFiles(session, files, limits), {
    onDone: ([first]) => first !== undefined && onOpen(first),
  })
  const ask = (before: string | null) => openDialog(<FileName {...{ session, before, onOpen }} />)
  const makeEntry = (path: string) => ({
    label: 'Make it the entry',
    isDisabled: path === work.entry,
    onSelect: () => session.edit({ ...session.get().work, entry: path }),
  })
  const isPage = (path: string) => work.files.some((file) => file.path === path)
  return (
    <nav aria-label="Files of the deck" className="flex min-h-0 flex-col gap-2">
      <ul className="ring-room min-h-0 overflow-y-auto max-md:max-h-48">
        {pathsOf(work).map((path) => (
          <li key={path} className="group flex items-center">
            <button
              type="button"
              aria-current={path === open ? 'true' : undefined}
              title={path === work.entry ? `${path}: visitors land here` : path}
              onClick={() => onOpen(path)}
              className="flex min-h-8 min-w-0 flex-1 items-center gap-2 rounded-control px-2 text-left text-13 text-muted hover:bg-sunk hover:text-ink aria-[current]:bg-sunk aria-[current]:text-ink pointer-coarse:min-h-11"
            >
              <FileKind type={work.assets.find((one) => one.path === path)?.type} />
              <span className="truncate">{path}</span>
              {path === work.entry && <span className="ml-auto shrink-0 text-12">entry</span>}
            </button>
            <Menu
              label={`More about ${path}`}
              icon={Ellipsis}
              items={[
                { label: 'Rename', onSelect: () => ask(path) },
                ...(isPage(path) ? [makeEntry(path)] : []),
                {
                  label: 'Delete file',
                  isDanger: true,
                  isDisabled: isPage(path) && work.files.length === 1,
                  onSelect: () => deleteFile(session, path),
                },
              ]}
            />
          </li>
        ))}
      </ul>
      <div className="flex gap-1 md:flex-col md:items-start">
        <QuietButton className="text-13!" icon={FilePlus2} onClick={() => ask(null)}>
          New page
        </QuietButton>
        <FileButton
          label={adding.isPending ? 'Uploading…' : 'Add files'}
          name="Files to add"
          look="quiet"
          className="text-13!"
          icon={Upload}
          isDisabled={adding.isPending}
          onFiles={(files) => files.length > 0 && adding.mutate(files)}
        />
      </div>
    </nav>
  )
}

/** Deletes a file of the draft, which can be undone. */
export function deleteFile(session: EditSession, path: string): void {
  const before = session.get().work
  session.edit(without(before, path))
  showToast(`${path} deleted from the draft`, { undo: () => session.edit(before) })
}

/** The entry first, then pages, then the rest. */
function pathsOf({ entry, files, assets }: Draft): string[] {
  const pages = files.map(({ path }) => path).filter((path) => path !== entry)
  return [entry, ...pages, ...assets.map(({ path }) => path)]
}

/** The icon of a file by its type; of a page, which has none here, that of HTML. */
function FileKind({ type = 'text/html' }: { type: string | undefined }) {
  const [, Icon] = ICONS.find(([start]) => type.startsWith(start))!
  return <Icon size={15} className="shrink-0" />
}

/** Adds files, in place of those of the same name. @returns the paths that were added */
async function addFiles(session: EditSession, files: File[], limits: Limits): Promise<string[]> {
  const added: string[] = []
  for (const file of files) {
    const path = file.name.normalize('NFC')
    try {
      const addFile = isHtmlPath(path)
        ? withPage({ path, text: await file.text() }, limits.deck_files)
        : withAsset(await uploaded(file, path, limits), limits.deck_assets)
      session.edit(addFile(session.get().work))
      added.push(path)
    } catch (err) {
      showError(`${path}: ${messageOf(err)}`)
    }
  }
  return added
}

/** @throws an error where the file is too large for a deck */
export async function uploaded(file: Blob, path: string, limits: Limits): Promise<Asset> {
  const most = Math.min(limits.asset_bytes, limits.file_bytes)
  if (file.size > most) {
    const { size, limit } = besideLimit(file.size, most)
    throw new Error(`It is ${size}; a file of a deck may have ${limit}.`)
  }
  const { data } = await api.createUpload(file)
  const type = file.type || 'application/octet-stream'
  return { path, type, size_bytes: file.size, source: { upload: data.id } }
}

const withPage = (page: TextFile, most: number) => (draft: Draft) => {
  const files = withFile(draft, draft.files, page)
  if (files.length > most) throw new Error(`A deck takes ${most} pages.`)
  return { ...draft, files }
}

export const withAsset = (asset: Asset, most: number) => (draft: Draft) => {
  const assets = withFile(draft, draft.assets, asset)
  if (assets.length > most) throw new Error(`A deck takes ${most} files.`)
  return { ...draft, assets }
}

function withFile<F extends { path: string }>(draft: Draft, files: F[], file: F): F[] {
  const problem = pathProblem(draft, file.path, file.path)
  if (problem !== null) throw new Error(problem)
  return inOrder([...files.filter(({ path }) => path !== file.path), file])
}

interface FileNameProps extends Pick<FileTreeProps, 'session' | 'onOpen'> {
  /** The file to rename; null for a new page. */
  before: string | null
}

function FileName({ session, before, onOpen }: FileNameProps) {
  const isNew = before === null
  async function save(path: string): Promise<void> {
    const { work } = session.get()
    const name = path.normalize('NFC')
    const isNoPage = isNew && !isHtmlPath(name)
    const problem =
      pathProblem(work, name, before) ?? (isNoPage ? 'A page’s name ends in .html.' : null)
    if (problem !== null) throw new Error(problem)
    session.edit(
      isNew
        ? { ...work, files: inOrder([...work.files, { path: name, text: NEW_PAGE }]) }
        : renamed(work, before, name),
    )
    onOpen(name)
  }
  return (
    <NameDialog
      title={isNew ? 'New page' : 'Rename file'}
      action={isNew ? 'Add page' : 'Rename'}
      cancel="Cancel"
      label="Path"
      {...(!isNew && { before })}
      required={false}
      placeholder="parts/two.html"
      help={
        isNew
          ? 'From the deck’s folder.'
          : 'Links to the old name stay as they are: change them by Find in all files.'
      }
      save={save}
    />
  )
}
