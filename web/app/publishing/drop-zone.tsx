import { Suspense, useEffect, useState } from 'preact/compat'
import { useLocation } from 'wouter-preact'
import { leftOutPart } from '../../../src/model/deck-folder.ts'
import { isTaken } from '../frame/keys.ts'
import { useWindowEvent } from '../hooks.ts'
import { isInUse, newPage } from '../new-page/draft.ts'
import { useStore } from '../store.ts'
import { lazy } from '../ui/lazy.tsx'
import { showToast } from '../ui/toast.tsx'
import { takeDropped } from './dropped.ts'
import { groupFiles, type Source, type SourceFile } from './sources.ts'
import { dropTarget, jobs, questions } from './stores.ts'

/** More are not listed: the deck's rules refuse them anyway. */
const MAX_FILES = 10_000

const JobsPanel = lazy(() => import('./jobs-panel.tsx'))
const ReplaceDialog = lazy(() => import('./replace-dialog.tsx'))

/** What was published by a drop, at the end of the screen: it covers nothing that stands there. */
export function Tray() {
  return (
    useStore(jobs).length > 0 && (
      <Suspense fallback={null}>
        <JobsPanel />
      </Suspense>
    )
  )
}

/** Takes files and folders that are dropped anywhere in the window, and what is pasted. */
export function DropZone() {
  const over = useDrops()
  usePaste()
  const target = useStore(dropTarget)
  return (
    <>
      {over !== null && (
        <div className="pointer-events-none fixed inset-2 z-50 flex items-end justify-center rounded-dialog border-2 border-dashed border-accent pb-20 md:pb-6">
          {over.row && (
            <span
              style={over.row}
              className="fixed rounded-control outline-2 outline-offset-4 outline-accent"
            />
          )}
          <div className="rounded-card border border-line bg-raised px-6 py-3 text-center shadow-float">
            <p className="font-serif text-21 font-medium">
              {over.pageId !== null
                ? 'Drop to update this page'
                : target === null
                  ? 'Drop to publish'
                  : 'Drop it here'}
            </p>
            <p className="text-muted">HTML, Markdown, a folder, a zip, a PDF or images</p>
          </div>
        </div>
      )}
      {useStore(questions).length > 0 && (
        <Suspense fallback={null}>
          <ReplaceDialog />
        </Suspense>
      )}
    </>
  )
}

/** What is dragged over. */
interface Over {
  pageId: string | null
  /** Where the row of the page is, in a list of pages. */
  row: Pick<DOMRect, 'top' | 'left' | 'width' | 'height'> | null
}

function useDrops(): Over | null {
  const [over, setOver] = useState<Over | null>(null)
  useEffect(() => {
    const stop = new AbortController()
    // Every element that is entered is left again, so the last one leaves none.
    let depth = 0
    function on(name: 'dragenter' | 'dragover' | 'dragleave' | 'drop', run: DragHandler): void {
      addEventListener(name, (event: DragEvent) => hasFiles(event) && run(event), stop)
    }
    // What is dropped on a frame is not told to this window: the browser opens it. So frames get no
    // pointer once the mouse has left the window, or a drag has entered it, until the mouse moves.
    const root = document.documentElement
    const setFrames = (isOff: boolean) => root.toggleAttribute('data-frames-off', isOff)
    root.addEventListener('mouseleave', () => setFrames(true), stop)
    root.addEventListener('mousemove', () => setFrames(false), stop)
    function enter(by: 1 | -1, event: DragEvent): void {
      depth = Math.max(0, depth + by)
      if (depth === 0) setOver(null)
      else if (by === 1) setOver(overOf(event))
    }
    on('dragenter', (event) => {
      setFrames(true)
      enter(1, event)
    })
    on('dragleave', (event) => enter(-1, event))
    on('dragover', (event) => event.preventDefault())
    on('drop', (event) => {
      depth = 0
      setOver(null)
      if (event.defaultPrevented) return
      event.preventDefault()
      const { pageId } = overOf(event)
      const ownTake = dropTarget.get()
      void sourcesOf(event.dataTransfer!).then((sources) => {
        if (sources.length === 0) return
        if (ownTake !== null) ownTake(sources)
        else void takeDropped(sources, { pageId })
      })
    })
    return () => stop.abort()
  }, [])
  return over
}

type DragHandler = (event: DragEvent) => void

function hasFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes('Files') === true
}

/** The page of the row below the pointer, or of the screen; none where a screen takes it itself. */
function overOf({ target }: DragEvent): Over {
  if (dropTarget.get() !== null) return { pageId: null, row: null }
  const row = target instanceof Element ? target.closest<HTMLElement>('tr[data-id]') : null
  if (row !== null) {
    const { top, left, width, height } = row.getBoundingClientRect()
    return { pageId: row.dataset.id!, row: { top, left, width, height } }
  }
  const pageId = /^\/app\/pages\/([^/]+)/.exec(location.pathname)?.[1] ?? null
  return { pageId, row: null }
}

/** What is pasted outside of a field opens a new page with it: one more press publishes it. */
function usePaste(): void {
  const [, navigate] = useLocation()
  useWindowEvent('paste', async (event) => {
    if (event.defaultPrevented || event.clipboardData === null || isTaken(event.target)) return
    const { clipboardData: data } = event
    const text = data.getData('text/plain')
    const html = /^\s*</.test(text) ? text : data.getData('text/html') || text
    const sources = data.files.length > 0 ? await sourcesOf(data) : []
    if (sources.length === 0 && html.trim() === '') return
    navigate('/new')
    if (isInUse()) {
      showToast('You have begun a page here: publish it, or clear it, and paste again.')
    } else {
      newPage.set({ ...newPage.get(), ...(sources.length > 0 ? { sources } : { html }) })
    }
  })
}

/**
 * What was dropped: each folder is a source of its own. The browser gives its items away when the
 * event ends, so they are taken before anything is awaited.
 */
async function sourcesOf(data: DataTransfer): Promise<Source[]> {
  const entries = [...data.items].map((item) => item.webkitGetAsEntry?.() ?? null)
  const files = [...data.files]
  const folders = entries.filter(isFolder)
  if (folders.length === 0) return groupFiles(files)
  const names = new Set(folders.map(({ name }) => name))
  const sources = await Promise.all(
    folders.map(async (folder) => ({
      name: folder.name,
      files: await filesIn(folder),
      isFolder: true,
    })),
  )
  return [...sources, ...groupFiles(files.filter(({ name }) => !names.has(name)))]
}

async function filesIn(folder: FileSystemDirectoryEntry): Promise<SourceFile[]> {
  const files: SourceFile[] = []
  const waiting: [path: string, folder: FileSystemDirectoryEntry][] = [['', folder]]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [path, inner] = next
    for (const entry of await entriesIn(inner)) {
      if (files.length >= MAX_FILES) return files
      const child = path + entry.name
      // Of what tools keep, which may be too many files to list, the folder alone is named.
      const isLeftOut = leftOutPart(child) !== null
      if (!isFolder(entry)) {
        files.push({ path: child, file: await fileOf(entry as FileSystemFileEntry) })
      } else if (isLeftOut) files.push({ path: `${child}/`, file: new File([], entry.name) })
      else waiting.push([`${child}/`, entry])
    }
  }
  return files
}

function isFolder(entry: FileSystemEntry | null): entry is FileSystemDirectoryEntry {
  return entry?.isDirectory === true
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
